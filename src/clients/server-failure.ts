import { errorCode } from '../lib/errors/error-code.ts';
import { harmless } from '../lib/text/harmless.ts';
import { ForbiddenAddress } from './guarded-lookup.ts';

/** Why a server was not understood; the message is for people, and names the server. */
export type ServerFailureKind =
  | 'unreachable'
  /** Its certificate is not to be trusted, or it does not trust ours. */
  | 'untrusted'
  | 'timed_out'
  /** What it answered makes no sense. */
  | 'unreadable'
  /** We have lost what allowed us to send anything. */
  | 'called_off';

export class ServerFailure extends Error {
  readonly kind: ServerFailureKind;

  constructor(kind: ServerFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const PLAIN: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed temporarily',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to host',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
};

const UNTRUSTED: Readonly<Record<string, string>> = {
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

const TIMED_OUT = new Set([
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'],
]);

/** What an error of the connection means. `server` is its URL. */
export function serverFailureOf(server: string, error: unknown): ServerFailure {
  if (error instanceof ServerFailure) return error;
  if (error instanceof ForbiddenAddress) return new ServerFailure('untrusted', `${server}: ${error.message}`);
  const code = errorCode(error);
  if (TIMED_OUT.has(code) || (error instanceof Error && error.name === 'TimeoutError'))
    return new ServerFailure('timed_out', `${server} did not respond in time`);
  const distrust = UNTRUSTED[code];
  if (distrust !== undefined) return new ServerFailure('untrusted', `${server}: ${distrust}`);
  if (/^ERR_(SSL|TLS|OSSL)/.test(code) || code === 'EPROTO')
    return new ServerFailure('untrusted', `${server}: TLS error (${harmless(code)})`);
  const plain = PLAIN[code] ?? (error instanceof Error ? harmless(error.message) : 'unknown reason');
  return new ServerFailure('unreachable', `${server} does not respond: ${plain}`);
}
