// The one table from a refusal's code to its HTTP status, what it means, why it comes and what to do. `docs/reference/errors.md` and the
// page at /docs are made from it.

import type { ErrorCode } from '../../domain/errors.ts';

interface Kind {
  readonly status: number;
  /** What happened. */
  readonly meaning: string;
  /** Why it comes to that, or where to look for why. */
  readonly cause: string;
  /** What to do about it. */
  readonly remedy: string;
}

export const PROBLEMS: Readonly<Record<ErrorCode, Kind>> = {
  bad_request: {
    status: 400,
    meaning: 'The request is not HTTP that can be understood.',
    cause:
      'A client or a proxy writes requests that are not as they should be, or something other than HTTP arrives, such as TLS at a port without it.',
    remedy: 'Check the scheme of the URL, the client, and the proxy in between.',
  },
  invalid_json: {
    status: 400,
    meaning: 'The body is not valid JSON in UTF-8.',
    cause: 'A comma or a quote is missing, often since the shell has taken it.',
    remedy: 'Check the body with a JSON parser; send it from a file (`-d @file`).',
  },
  invalid_body: {
    status: 400,
    meaning: 'Fields of the body are missing or wrong.',
    cause: 'A field has another type than it should, is unknown, or is not there.',
    remedy: 'Look at `errors`, which names each field with its path, and compare with `/docs`.',
  },
  invalid_query: {
    status: 400,
    meaning: 'A query parameter is wrong.',
    cause: 'It is unknown, is there twice, or has a value that cannot be.',
    remedy: 'Look at `errors`, which names it.',
  },
  invalid_header: {
    status: 400,
    meaning: 'A header is wrong.',
    cause:
      'An `Idempotency-Key` is 1 to 128 visible characters of ASCII, a `Last-Event-ID` the number of an event.',
    remedy: 'Send the header as it should be, or leave it out.',
  },
  invalid_name: {
    status: 400,
    meaning: 'A name cannot be one.',
    cause: 'Names are 1 to 128 characters of `A–Z a–z 0–9 _ -`.',
    remedy: 'Choose another name.',
  },
  invalid_address: {
    status: 400,
    meaning: 'An address cannot be one.',
    cause: 'Hosts are addressed by IPv4 or IPv6 literals, without names and zones.',
    remedy: 'Look up the address of the name, and send that.',
  },
  invalid_private_key: {
    status: 400,
    meaning: 'The SSH key cannot be used.',
    cause: 'It is encrypted, a public one, broken by line ends, or of a type that is not taken.',
    remedy:
      'Send an unencrypted OpenSSH, PKCS#8 or PEM key (ed25519, ECDSA or RSA) in base64 without newlines: `base64 -w0 < key`.',
  },
  reserved_name: {
    status: 400,
    meaning: 'The account name `token` is reserved for enrolment tokens.',
    cause: 'Hosts that enrol by a token call themselves so.',
    remedy: 'Choose another name.',
  },
  path_mismatch: {
    status: 400,
    meaning: 'A field of the body that repeats the path says something else.',
    cause: 'Path and body are of two records.',
    remedy: 'Leave the field out, or make it equal.',
  },
  too_many_members: {
    status: 400,
    meaning: 'A list of members is longer than the limit.',
    cause: '`limit_members` bounds what one request replaces.',
    remedy: 'Replace in several steps, or raise `limit_members`.',
  },
  too_many_hosts: {
    status: 400,
    meaning: 'More hosts are to be enrolled at once than the limit allows.',
    cause: '`limit_bulk_hosts` bounds what one request enrols.',
    remedy: 'Send them in several requests, or raise `limit_bulk_hosts`.',
  },
  unauthorized: {
    status: 401,
    meaning:
      'User name and password (HTTP Basic) are missing or wrong, or the session of the dashboard is over.',
    cause: 'A password was changed or mistyped, an account or token removed, or a session has ended.',
    remedy:
      'Sign in again. If the password of `admin` is lost, run `hostler admin reset-password` on the machine of the service.',
  },
  forbidden: {
    status: 403,
    meaning: "The account's role does not allow this.",
    cause: 'Only some roles may call this path.',
    remedy: 'Ask an admin for another role, or use another account.',
  },
  address_not_yours: {
    status: 403,
    meaning: 'An account of role `enrol` can enrol only the address it calls from.',
    cause: 'The body names another address, or a proxy in between is not named in `trust_proxy`.',
    remedy: 'Leave `host` and `address` out; behind a proxy, look at `trust_proxy`.',
  },
  token_expired: {
    status: 403,
    meaning: 'The enrolment token is too old.',
    cause: 'It was made for some time only.',
    remedy: 'Make a new one, and give that to the host.',
  },
  token_used_up: {
    status: 403,
    meaning: 'As many hosts as the enrolment token was for have enrolled with it.',
    cause: 'It was made for so many hosts, or somebody else has it.',
    remedy: 'Make a new one; look in the audit log for hosts that are not yours.',
  },
  token_wrong_network: {
    status: 403,
    meaning: 'The enrolment token is for hosts of another network.',
    cause: '`detail` names that network, and the address that the host calls from.',
    remedy: 'Make a token for the right network. Behind a proxy, look at `trust_proxy`.',
  },
  token_for_other_cluster: {
    status: 403,
    meaning: 'The host names a cluster that the enrolment token is not for.',
    cause: 'The token decides which cluster a host joins.',
    remedy: 'Leave `cluster` out.',
  },
  token_cluster_gone: {
    status: 403,
    meaning: 'The cluster of the enrolment token was removed.',
    cause: 'A token lives longer than its cluster.',
    remedy: 'Create the cluster again, or make another token.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such path or record.',
    cause: 'It is misspelt, was removed, or never was.',
    remedy: 'Check the spelling; lists tell what there is.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method.',
    cause: 'The header `Allow` names those it has.',
    remedy: 'Use one of them.',
  },
  request_timeout: {
    status: 408,
    meaning: 'Headers or body did not arrive in time.',
    cause: 'The line is slow, or the client has stopped sending.',
    remedy: 'Try again on a better line, or raise `limit_receive_s`.',
  },
  conflict: {
    status: 409,
    meaning: 'The record exists with other content.',
    cause: 'Somebody has made it before, or it has changed meanwhile.',
    remedy: 'Read it. Remove it first, or replace it with `If-Match` where that is offered.',
  },
  members_changed: {
    status: 409,
    meaning: '`old` is not the current list of members.',
    cause: 'Somebody has changed the members since you have read them.',
    remedy: 'Read the list again, then decide anew.',
  },
  host_not_ready: {
    status: 409,
    meaning: 'Only hosts that are `active` or `disassociated` can join a cluster.',
    cause: 'The host is not bootstrapped yet, has failed or cannot be reached.',
    remedy: 'Wait, or look into its status.',
  },
  host_in_other_cluster: {
    status: 409,
    meaning: 'A host is in one cluster at most.',
    cause: 'It is a member of another one.',
    remedy: 'Take it out of the other first.',
  },
  host_differs: {
    status: 409,
    meaning: 'The host is known with another key, user, port, host key or source.',
    cause: 'Somebody has enrolled it before, or another machine has its address now.',
    remedy: 'Remove it first to enrol it anew.',
  },
  host_unreachable: {
    status: 409,
    meaning: 'New credentials are tried on the host first, and it could not be reached.',
    cause: '`detail` says why. Nothing was stored.',
    remedy: 'Try again when it can be reached.',
  },
  host_key_changed: {
    status: 409,
    meaning: 'New credentials are tried on the host first, and it shows another host key than it did.',
    cause: 'The host was set up anew, or it is another machine. Nothing was stored.',
    remedy: 'Find out why; if it is right, accept the key.',
  },
  credentials_do_not_work: {
    status: 409,
    meaning: 'The host does not let this user in with this key, or does not let it run commands or be root.',
    cause: '`detail` says which. Nothing was stored.',
    remedy: 'Put the public key into `authorized_keys` there first; give the user `sudo` without a password.',
  },
  no_key_to_accept: {
    status: 409,
    meaning: 'The host has shown no other key than those it is known by.',
    cause: 'It shows its old key again, or somebody else has accepted the new one.',
    remedy: 'Look at `offered_key` in its status, which is what could be accepted.',
  },
  fingerprint_differs: {
    status: 409,
    meaning: 'The host has shown a key with another fingerprint.',
    cause: 'The fingerprint is mistyped, or the host shows another key by now.',
    remedy: 'Compare with `ssh-keygen -lf` on the host itself, then name the right one.',
  },
  unknown_cluster: {
    status: 409,
    meaning: 'The host names a cluster that does not exist.',
    cause: 'It is misspelt, or not made yet.',
    remedy: 'Create the cluster first.',
  },
  unknown_network: {
    status: 409,
    meaning: 'The cluster names a network that does not exist.',
    cause: 'It is misspelt, or not made yet.',
    remedy: 'Create the network first.',
  },
  unknown_container_manager: {
    status: 409,
    meaning: 'The cluster names a container manager that does not exist.',
    cause: 'It is misspelt, or not made yet.',
    remedy: 'Create it first.',
  },
  operation_not_taken: {
    status: 409,
    meaning: 'The container manager of the cluster does not take operations of this kind.',
    cause: '`detail` says why.',
    remedy: "Do it by the container manager's own means.",
  },
  operation_running: {
    status: 409,
    meaning: 'Another operation runs on the cluster.',
    cause: 'There is one at a time; `detail` names it.',
    remedy: 'Wait for its end, or cancel it.',
  },
  host_in_operation: {
    status: 409,
    meaning: 'An operation is at work on the host.',
    cause: 'It is prepared, or in flight.',
    remedy: 'Wait for its end, or have the operation skip the host.',
  },
  not_possible_now: {
    status: 409,
    meaning: 'The operation is in a state in which this cannot be asked of it.',
    cause: 'It has ended, or is paused already, or is not.',
    remedy: 'Look at its `can`, which says what can be asked.',
  },
  not_a_member: {
    status: 409,
    meaning: 'The policy names hosts that are not members of the cluster.',
    cause: 'They have left it, or are misspelt.',
    remedy: 'Leave them out, or let them join first.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning: 'The `Idempotency-Key` was used for another request within the last day.',
    cause: 'A key stands for one request.',
    remedy: 'Take a new one.',
  },
  token_exists: {
    status: 409,
    meaning: 'There is an enrolment token of this name with other settings.',
    cause: 'A token is never changed.',
    remedy: 'Remove it first, or choose another name.',
  },
  in_use: {
    status: 409,
    meaning: 'A cluster uses the record, and it would be removed, or become another server or network.',
    cause: 'Members of the cluster depend on it.',
    remedy: 'Change or remove the cluster first.',
  },
  built_in: {
    status: 409,
    meaning: 'The network `default` is built in and cannot be removed.',
    cause: 'Clusters that need no network use it.',
    remedy: 'Leave it.',
  },
  last_admin: {
    status: 409,
    meaning: 'Somebody must be able to manage accounts.',
    cause: 'It is the only account of the role `admin`.',
    remedy: 'Make another account `admin` first.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The record has changed since it was read.',
    cause: 'Its `ETag` is another by now.',
    remedy: 'Read it again and send its new `ETag` in `If-Match`.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than the limit.',
    cause: '`limit_body_bytes` bounds it.',
    remedy: 'Send less, or raise `limit_body_bytes`.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'Bodies are JSON.',
    cause: 'The request says that its body is something else, or says nothing.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  too_many_failed_logins: {
    status: 429,
    meaning: 'Too many logins failed from this address or for this account.',
    cause: 'Somebody guesses passwords, or a program goes on with an old one.',
    remedy:
      'Wait as `Retry-After` says; find the program in the audit log. Behind a proxy, look at `trust_proxy`.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are larger than 16 KiB.',
    cause: 'A client sends many cookies, or long ones.',
    remedy: 'Send fewer or shorter ones.',
  },
  internal_error: {
    status: 500,
    meaning: "A fault of Hostler's own.",
    cause: 'The log has more under the request id.',
    remedy: 'Please report it, with those lines of the log.',
  },
  server_busy: {
    status: 503,
    meaning: 'More passwords are being checked than the service can do at once.',
    cause: 'Many log in at the same moment.',
    remedy: 'Try again as `Retry-After` says.',
  },
  too_many_event_readers: {
    status: 503,
    meaning: 'As many read events on this server as it takes, or as one account may have.',
    cause:
      '`limit_event_readers` bounds them, and `limit_account_event_readers` those of one account; `detail` says which.',
    remedy: 'Try again as `Retry-After` says, or another server, or raise that setting.',
  },
  store_unavailable: {
    status: 503,
    meaning: 'The store cannot be reached at this moment.',
    cause: 'PostgreSQL is away, or the disk of the embedded store is full or broken.',
    remedy:
      'Try again as `Retry-After` says; `hostler doctor` on the machine of the service says what is wrong.',
  },
};
