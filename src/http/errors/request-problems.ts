import { MAX_BULK_HOSTS } from '../../domain/defaults.ts';
import { defineProblems } from './problem-definition.ts';

/** Errors of the request itself, independent of the state of the store. */
export const REQUEST_PROBLEMS = defineProblems(400, {
  bad_request: {
    summary: 'The request is malformed.',
    cause:
      '`detail` contains the reason. Often a client or proxy sends invalid HTTP, or the traffic is not HTTP, such as TLS on a port without TLS.',
    action: 'Check the scheme of the URL, the client, and the proxies in between.',
    docs: 'admin/tls-and-proxies.md#troubleshooting',
  },
  invalid_json: {
    summary: 'The body is not valid JSON in UTF-8.',
    cause: 'A comma or quote is missing, often because the shell removed it.',
    action: 'Check the body with a JSON parser, or send it from a file (`-d @file`).',
  },
  invalid_body: {
    summary: 'Fields of the body are missing or invalid.',
    cause: 'A field is missing, has the wrong type or an invalid value, or is unknown in options or a policy.',
    action: 'See `errors` for the path of each invalid field, and `/docs` for the expected fields.',
  },
  invalid_query: {
    summary: 'A query parameter is invalid.',
    cause: 'The parameter is repeated, or its value is not allowed.',
    action: 'See `errors` for the name of the parameter.',
  },
  unresolved_name: {
    status: 404,
    summary: 'The name has no address.',
    cause: 'The name is wrong, or the DNS server of the Hostler server does not know it.',
    action: 'Check the name, or enter the address of the host.',
  },
  invalid_header: {
    summary: 'A header is invalid.',
    cause: 'An `Idempotency-Key` must have 1 to 128 visible ASCII characters. A `Last-Event-ID` must be an event ID.',
    action: 'Correct or omit the header.',
  },
  invalid_name: {
    summary: 'A name is invalid.',
    cause: 'Names must have 1 to 128 characters of `A–Z a–z 0–9 _ -`.',
    action: 'Choose a valid name.',
  },
  invalid_address: {
    summary: 'An address is invalid.',
    cause: 'Addresses must be IPv4 or IPv6 literals. Host names and zones are not allowed.',
    action: 'Look up the IP address of the host name, and send the address.',
  },
  invalid_private_key: {
    summary: 'The SSH private key cannot be used.',
    cause: 'The key is encrypted, is a public key, is broken by line breaks, or has an unsupported type.',
    action:
      'Send an unencrypted OpenSSH, PKCS#8 or PEM key (ed25519, ECDSA or RSA) in base64 without newlines: `base64 -w0 < key`.',
    docs: 'guides/enrol-hosts.md',
  },
  reserved_name: {
    summary: 'The account name `token` is reserved for enrolment tokens.',
    cause: 'Hosts that enrol with a token use it as their user name.',
    action: 'Choose another name.',
  },
  path_mismatch: {
    summary: 'A field of the body contradicts the URL.',
    cause: 'The URL and the body name different records.',
    action: 'Omit the field, or make it equal to the value in the URL.',
  },
  too_many_members: {
    summary: 'The list of members is longer than the limit.',
    cause: '`limit_members` limits the number of addresses in one request.',
    action: 'Change the members in several requests, or raise `limit_members`.',
  },
  too_many_hosts: {
    summary: 'The request enrols more hosts than the limit allows.',
    cause: `One request can enrol ${MAX_BULK_HOSTS} hosts.`,
    action: 'Enrol the hosts in several requests.',
  },
  unauthorized: {
    status: 401,
    summary: 'The user name or password (HTTP Basic) is missing or wrong, or the dashboard session has ended.',
    cause:
      'The password was mistyped or changed, the account or token was removed, or the session expired or was ended.',
    action:
      'Sign in again. If the password of `admin` is lost, run `hostler admin reset-password` on the server machine.',
    docs: 'guides/accounts.md',
  },
  forbidden: {
    status: 403,
    summary: 'The role of the account does not allow this request.',
    cause: 'Each endpoint allows only some roles.',
    action: 'Ask an administrator for another role, or use another account.',
    docs: 'guides/accounts.md',
  },
  confirmation_needed: {
    status: 403,
    summary: 'The request needs a confirmation of the password.',
    cause:
      'A dashboard session changes accounts or enrolment tokens, or reads or changes credentials, and the password was not confirmed in it within the last five minutes.',
    action:
      'Send `current_password` to `PUT /api/v0/session/confirmation`, then repeat the request. Or send the request with user name and password.',
    docs: 'guides/dashboard.md#confirm-your-password',
  },
  wrong_password: {
    status: 403,
    summary: 'The current password is wrong. The session remains valid.',
    cause: 'The password was mistyped when the session was confirmed.',
    action: 'Enter the password of the account that is signed in.',
    docs: 'guides/dashboard.md#confirm-your-password',
  },
  address_mismatch: {
    status: 403,
    summary: 'Accounts with the role `enrol` can enrol only the address they connect from.',
    cause: 'The body names another address, or `trust_proxy` does not contain the proxy in between.',
    action: 'Omit `host` and `address`. Behind a proxy, check `trust_proxy`.',
    docs: 'guides/enrolment-tokens.md',
  },
  token_expired: {
    status: 403,
    summary: 'The enrolment token has expired.',
    cause: 'Tokens have a limited lifetime.',
    action: 'Create a new token and give it to the host.',
    docs: 'guides/enrolment-tokens.md',
  },
  token_exhausted: {
    status: 403,
    summary: 'The enrolment token has no uses left.',
    cause: 'As many hosts as the token allows have enrolled. Some of them may not be yours.',
    action: 'Create a new token, and check the audit log for unknown hosts.',
    docs: 'guides/enrolment-tokens.md',
  },
  token_network_mismatch: {
    status: 403,
    summary: 'The enrolment token is valid only for hosts of another network.',
    cause: '`detail` names the network of the token and the address that the host connects from.',
    action: 'Create a token for the right network. Behind a proxy, check `trust_proxy`.',
    docs: 'guides/enrolment-tokens.md',
  },
  token_cluster_mismatch: {
    status: 403,
    summary: 'The request names a cluster other than the cluster of the enrolment token.',
    cause: 'The token defines which cluster the host joins.',
    action: 'Omit `cluster`.',
    docs: 'guides/enrolment-tokens.md',
  },
  token_cluster_removed: {
    status: 403,
    summary: 'The cluster of the enrolment token was removed.',
    cause: 'Tokens are not removed together with their cluster.',
    action: 'Create the cluster again, or create another token.',
    docs: 'guides/enrolment-tokens.md',
  },
  not_found: {
    status: 404,
    summary: 'The path or record does not exist.',
    cause: 'The name is misspelled, or the record was removed or never existed.',
    action: 'Check the spelling, or list the existing records.',
  },
  method_not_allowed: {
    status: 405,
    summary: 'The path does not support this method.',
    cause: 'The header `Allow` lists the supported methods.',
    action: 'Use one of these methods.',
  },
  request_timeout: {
    status: 408,
    summary: 'The headers or the body did not arrive in time.',
    cause: 'The connection is slow, or the client stopped sending.',
    action: 'Retry on a faster connection, or raise `http_receive_timeout_s`.',
  },
  body_too_large: {
    status: 413,
    summary: 'The body is larger, or has more values, than this path accepts.',
    cause:
      'Most paths accept 64 KiB and 1,000 values. Paths for texts such as certificates accept 512 KiB. Paths for lists accept as much as `limit_body_bytes` and `limit_members` allow.',
    action:
      'Send less data in one request. On paths for lists, you can also raise the settings; the other limits are fixed.',
  },
  unsupported_media_type: {
    status: 415,
    summary: 'The body must be uncompressed JSON.',
    cause: 'The `Content-Type` is not `application/json`, or the request has a `Content-Encoding`.',
    action: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  headers_too_large: {
    status: 431,
    summary: 'The headers are larger than 16 KiB.',
    cause: 'The client sends many cookies, or long ones.',
    action: 'Send fewer or shorter headers.',
  },
});
