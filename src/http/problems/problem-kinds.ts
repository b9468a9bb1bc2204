// The one table from a refusal's code to its HTTP status and its meaning. `docs/reference/errors.md` and the page at /docs are made from it.

import type { ErrorCode } from '../../domain/errors.ts';

interface Kind {
  readonly status: number;
  /** What happened, and what to do about it. */
  readonly meaning: string;
}

export const PROBLEMS: Readonly<Record<ErrorCode, Kind>> = {
  bad_request: {
    status: 400,
    meaning: 'The request is not HTTP that can be understood. Check the client or the proxy in between.',
  },
  invalid_json: { status: 400, meaning: 'The body is not valid JSON in UTF-8. Check it with a JSON parser.' },
  invalid_body: {
    status: 400,
    meaning: 'Fields of the body are missing or wrong; `errors` names each with its path.',
  },
  invalid_query: { status: 400, meaning: 'A query parameter is wrong; `errors` names it.' },
  invalid_header: {
    status: 400,
    meaning:
      'A header is wrong. An `Idempotency-Key` is 1 to 128 visible characters of ASCII, a `Last-Event-ID` the number of an event.',
  },
  invalid_name: { status: 400, meaning: 'Names are 1 to 128 characters of `A–Z a–z 0–9 _ -`.' },
  invalid_address: {
    status: 400,
    meaning: 'Hosts are addressed by IPv4 or IPv6 literals, without names and zones.',
  },
  invalid_private_key: {
    status: 400,
    meaning:
      'The SSH key cannot be used. Send an unencrypted OpenSSH, PKCS#8 or PEM key (ed25519, ECDSA or RSA) in base64 without newlines: `base64 -w0 < key`.',
  },
  reserved_name: {
    status: 400,
    meaning: 'The account name `token` is reserved for enrolment tokens. Choose another.',
  },
  path_mismatch: {
    status: 400,
    meaning: 'A field of the body that repeats the path says something else. Leave it out, or make it equal.',
  },
  too_many_members: {
    status: 400,
    meaning:
      'A list of members is longer than the limit. Replace in several steps, or raise `limit_members`.',
  },
  too_many_hosts: {
    status: 400,
    meaning:
      'More hosts are to be enrolled at once than the limit allows. Send them in several requests, or raise `limit_bulk_hosts`.',
  },
  unauthorized: {
    status: 401,
    meaning:
      'User name and password (HTTP Basic) are missing or wrong, or the session of the dashboard is over. Sign in again.',
  },
  forbidden: {
    status: 403,
    meaning: "The account's role does not allow this. Ask an admin for another role.",
  },
  address_not_yours: {
    status: 403,
    meaning:
      'An account of role `enrol` can enrol only the address it calls from. Leave `host` and `address` out.',
  },
  token_expired: {
    status: 403,
    meaning: 'The enrolment token is too old. Make a new one, and give that to the host.',
  },
  token_used_up: {
    status: 403,
    meaning: 'As many hosts as the enrolment token was for have enrolled with it. Make a new one.',
  },
  token_wrong_network: {
    status: 403,
    meaning:
      'The enrolment token is for hosts of another network; `detail` names it, and the address that the host calls from. Behind a proxy, look at `trust_proxy`.',
  },
  token_for_other_cluster: {
    status: 403,
    meaning:
      'The host names a cluster that the enrolment token is not for. Leave `cluster` out: the token decides.',
  },
  token_cluster_gone: {
    status: 403,
    meaning: 'The cluster of the enrolment token was removed. Create it again, or make another token.',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such path or record. Check the spelling; lists tell what there is.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method; the header `Allow` names those it has.',
  },
  request_timeout: {
    status: 408,
    meaning: 'Headers or body did not arrive in time. Try again on a better line.',
  },
  conflict: {
    status: 409,
    meaning:
      'The record exists with other content. Remove it first, or replace it with `If-Match` where that is offered.',
  },
  members_changed: {
    status: 409,
    meaning: '`old` is not the current list of members. Read the list again, then decide anew.',
  },
  host_not_ready: {
    status: 409,
    meaning:
      'Only hosts that are `active` or `disassociated` can join a cluster. Wait, or look into its status.',
  },
  host_in_other_cluster: {
    status: 409,
    meaning: 'A host is in one cluster at most. Take it out of the other first.',
  },
  host_differs: {
    status: 409,
    meaning:
      'The host is known with another key, user, port, host key or source. Remove it first to enrol it anew.',
  },
  host_unreachable: {
    status: 409,
    meaning:
      'New credentials are tried on the host first, and it could not be reached; `detail` says why. Nothing was stored; try again when it can.',
  },
  host_key_changed: {
    status: 409,
    meaning:
      'New credentials are tried on the host first, and it shows another host key than it did. Nothing was stored. Find out why; if it is right, accept the key.',
  },
  credentials_do_not_work: {
    status: 409,
    meaning:
      'The host does not let this user in with this key, or does not let it run commands or be root; `detail` says which. Nothing was stored; put the public key into `authorized_keys` there first.',
  },
  no_key_to_accept: {
    status: 409,
    meaning:
      'The host has shown no other key than those it is known by. `offered_key` in its status is what could be accepted.',
  },
  fingerprint_differs: {
    status: 409,
    meaning:
      'The host has shown a key with another fingerprint. Compare with `ssh-keygen -lf` on the host itself, then name the right one.',
  },
  unknown_cluster: {
    status: 409,
    meaning: 'The host names a cluster that does not exist. Create the cluster first.',
  },
  unknown_network: {
    status: 409,
    meaning: 'The cluster names a network that does not exist. Create the network first.',
  },
  unknown_container_manager: {
    status: 409,
    meaning: 'The cluster names a container manager that does not exist. Create it first.',
  },
  operation_not_taken: {
    status: 409,
    meaning: 'The container manager of the cluster does not take operations of this kind; `detail` says why.',
  },
  operation_running: {
    status: 409,
    meaning: 'Another operation runs on the cluster; `detail` names it. Wait for its end, or cancel it.',
  },
  host_in_operation: {
    status: 409,
    meaning: 'An operation is at work on the host. Wait for its end, or have the operation skip the host.',
  },
  not_possible_now: {
    status: 409,
    meaning: 'The operation is in a state in which this cannot be asked of it; its `can` says what can.',
  },
  not_a_member: {
    status: 409,
    meaning:
      'The policy names hosts that are not members of the cluster. Leave them out, or let them join first.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning: 'The `Idempotency-Key` was used for another request within the last day. Take a new one.',
  },
  token_exists: {
    status: 409,
    meaning:
      'There is an enrolment token of this name with other settings. Remove it first, or choose another name.',
  },
  in_use: {
    status: 409,
    meaning:
      'A cluster uses the record, and it would be removed, or become another server or network. Change or remove the cluster first.',
  },
  built_in: { status: 409, meaning: 'The network `default` is built in and cannot be removed.' },
  last_admin: {
    status: 409,
    meaning: 'Somebody must be able to manage accounts. Make another account `admin` first.',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The record has changed since it was read. Read it again and send its new `ETag` in `If-Match`.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than the limit. Send less, or raise `limit_body_bytes`.',
  },
  unsupported_media_type: { status: 415, meaning: 'Bodies are JSON. Send `Content-Type: application/json`.' },
  too_many_failed_logins: {
    status: 429,
    meaning: 'Too many logins failed from this address or for this account. Wait as `Retry-After` says.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are larger than 16 KiB. Send fewer or shorter ones.',
  },
  internal_error: {
    status: 500,
    meaning: "A fault of Hostler's own. The log has more under the request id; please report it.",
  },
  server_busy: {
    status: 503,
    meaning:
      'More passwords are being checked than the service can do at once. Try again as `Retry-After` says.',
  },
  too_many_event_readers: {
    status: 503,
    meaning:
      'As many read events on this server as it takes. Try again as `Retry-After` says, or another server, or raise `limit_event_readers`.',
  },
  store_unavailable: {
    status: 503,
    meaning: 'The store cannot be reached at this moment. Try again as `Retry-After` says.',
  },
};
