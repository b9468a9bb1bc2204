import { errorCode } from '../../lib/errors.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { ForbiddenAddressError } from './address-rules.ts';

/**
 * Drivers translate these errors at their edge: into a state or a problem, or they let the step of the task retry. Only
 * etcd retries by itself, at another member.
 */
export type RemoteErrorKind =
  | 'unreachable'
  /** Our side rejects the certificate of the server, or the server rejects ours. */
  | 'untrusted'
  | 'timed_out'
  /** The server responded with an error status. */
  | 'rejected'
  | 'unreadable'
  /** `mayProceed` returned false. */
  | 'aborted';

export class RemoteServerError extends Error {
  readonly kind: RemoteErrorKind;

  constructor(kind: RemoteErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed temporarily',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to host',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
};

const TLS_ERRORS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not signed by a trusted authority; set ca_path',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not signed by a trusted authority; set ca_path',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is not signed by a trusted authority; set ca_path',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate authority is not trusted; set ca_path',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate; set ca_path',
  CERT_SIGNATURE_FAILURE: 'the certificate is not signed by the authority in ca_path',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
};

const TIMEOUT_CODES = new Set([
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'],
]);

export function toRemoteServerError(server: string, error: unknown): RemoteServerError {
  if (error instanceof RemoteServerError) return error;
  if (error instanceof ForbiddenAddressError) return new RemoteServerError('untrusted', `${server}: ${error.message}`);
  const code = errorCode(error);
  if (TIMEOUT_CODES.has(code) || (error instanceof Error && error.name === 'TimeoutError'))
    return new RemoteServerError('timed_out', `${server} did not respond in time`);
  const tlsProblem = TLS_ERRORS[code];
  if (tlsProblem !== undefined) return new RemoteServerError('untrusted', `${server}: ${tlsProblem}`);
  if (/^ERR_(SSL|TLS|OSSL)/.test(code) || code === 'EPROTO')
    return new RemoteServerError('untrusted', `${server}: TLS error (${sanitizeLine(code)})`);
  const networkProblem =
    NETWORK_ERRORS[code] ?? (error instanceof Error ? sanitizeLine(error.message) : 'unknown reason');
  return new RemoteServerError('unreachable', `${server} does not respond: ${networkProblem}`);
}
