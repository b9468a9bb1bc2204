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
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ECONNRESET: 'it cut the connection',
  EPIPE: 'it cut the connection',
  UND_ERR_SOCKET: 'it cut the connection',
};

const UNTRUSTED: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'no authority that is trusted has signed its certificate; give ca_path',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'no authority that is trusted has signed its certificate; give ca_path',
  UNABLE_TO_GET_ISSUER_CERT: 'no authority that is trusted has signed its certificate; give ca_path',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted; give ca_path',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate has signed itself; give ca_path',
  CERT_SIGNATURE_FAILURE: 'the authority in ca_path has not signed its certificate',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
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
    return new ServerFailure('timed_out', `${server} does not answer in time`);
  const distrust = UNTRUSTED[code];
  if (distrust !== undefined) return new ServerFailure('untrusted', `${server}: ${distrust}`);
  if (/^ERR_(SSL|TLS|OSSL)/.test(code) || code === 'EPROTO')
    return new ServerFailure('untrusted', `${server}: TLS fails (${harmless(code)})`);
  const plain = PLAIN[code] ?? (error instanceof Error ? harmless(error.message) : 'unknown reason');
  return new ServerFailure('unreachable', `${server} does not answer: ${plain}`);
}
