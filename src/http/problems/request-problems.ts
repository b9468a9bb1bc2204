import type { ProblemKind } from './problem-kind.ts';

/** What is wrong with a request, whatever is in the store. */
export const REQUEST_PROBLEMS = {
  bad_request: {
    status: 400,
    meaning: 'The request is not HTTP that can be understood.',
    cause:
      'A client or a proxy writes requests that are not as they should be, or something other than HTTP arrives, such as TLS at a port without it.',
    remedy: 'Check the scheme of the URL, the client, and the proxy in between.',
    guide: 'tls-and-proxy.md#when-it-does-not-work',
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
    cause:
      'A field has another type than it should, or is not there, or options or a policy have one that is unknown.',
    remedy: 'Look at `errors`, which names each field with its path, and compare with `/docs`.',
  },
  invalid_query: {
    status: 400,
    meaning: 'A query parameter is wrong.',
    cause: 'It is there twice, or has a value that cannot be.',
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
    guide: 'enrolling-hosts.md',
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
    guide: 'accounts.md',
  },
  forbidden: {
    status: 403,
    meaning: "The account's role does not allow this.",
    cause: 'Only some roles may call this path.',
    remedy: 'Ask an admin for another role, or use another account.',
    guide: 'accounts.md',
  },
  confirmation_needed: {
    status: 403,
    meaning: 'This request needs a confirmation of the password.',
    cause:
      'A dashboard session changes accounts or enrolment tokens, or reads or changes credentials, and the password was not confirmed in it within the last five minutes.',
    remedy:
      'Send `current_password` to `PUT /api/v0/session/confirmation`, then repeat the request. Or send the request with user name and password.',
    guide: 'dashboard.md#confirm-your-password',
  },
  wrong_password: {
    status: 403,
    meaning: 'The current password is wrong. The session stays as it is.',
    cause: 'A password was mistyped when a session was confirmed.',
    remedy: 'Enter the password of the account that is signed in.',
    guide: 'dashboard.md#confirm-your-password',
  },
  address_not_yours: {
    status: 403,
    meaning: 'An account of role `enrol` can enrol only the address it calls from.',
    cause: 'The body names another address, or a proxy in between is not named in `trust_proxy`.',
    remedy: 'Leave `host` and `address` out; behind a proxy, look at `trust_proxy`.',
    guide: 'enrolment.md',
  },
  token_expired: {
    status: 403,
    meaning: 'The enrolment token is too old.',
    cause: 'It was made for some time only.',
    remedy: 'Make a new one, and give that to the host.',
    guide: 'enrolment.md#what-is-refused',
  },
  token_used_up: {
    status: 403,
    meaning: 'As many hosts as the enrolment token was for have enrolled with it.',
    cause: 'It was made for so many hosts, or somebody else has it.',
    remedy: 'Make a new one; look in the audit log for hosts that are not yours.',
    guide: 'enrolment.md#what-is-refused',
  },
  token_wrong_network: {
    status: 403,
    meaning: 'The enrolment token is for hosts of another network.',
    cause: '`detail` names that network, and the address that the host calls from.',
    remedy: 'Make a token for the right network. Behind a proxy, look at `trust_proxy`.',
    guide: 'enrolment.md#what-is-refused',
  },
  token_for_other_cluster: {
    status: 403,
    meaning: 'The host names a cluster that the enrolment token is not for.',
    cause: 'The token decides which cluster a host joins.',
    remedy: 'Leave `cluster` out.',
    guide: 'enrolment.md#what-is-refused',
  },
  token_cluster_gone: {
    status: 403,
    meaning: 'The cluster of the enrolment token was removed.',
    cause: 'A token lives longer than its cluster.',
    remedy: 'Create the cluster again, or make another token.',
    guide: 'enrolment.md#what-is-refused',
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
  body_too_large: {
    status: 413,
    meaning: 'The body is larger, or has more values, than this path accepts.',
    cause:
      'Most paths accept 64 KiB and 1,000 values; texts such as certificates 512 KiB; lists as much as `limit_body_bytes`, `limit_members` and `limit_bulk_hosts` allow.',
    remedy: 'Send less in one request, or raise the setting.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'Bodies are JSON.',
    cause: 'The request says that its body is something else, or says nothing.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers are larger than 16 KiB.',
    cause: 'A client sends many cookies, or long ones.',
    remedy: 'Send fewer or shorter ones.',
  },
} satisfies Record<string, ProblemKind>;
