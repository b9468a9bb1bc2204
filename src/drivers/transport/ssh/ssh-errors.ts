import { TransportFailure } from '../../../domain/transport-failure.ts';
import { errorCode } from '../../../lib/errors.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';
import { keyRejectedFailure, NETWORK_ERRORS } from '../connect-errors.ts';

const NETWORK_TEXTS: ReadonlyMap<string, string> = new Map(Object.entries(NETWORK_ERRORS));

/** Errors of ssh2 without a common algorithm. OpenSSH supports more algorithms. */
const NO_COMMON_ALGORITHM = /^Handshake failed: no matching (?:[CS]->[CS] )?(.+)$/;

/** Error messages can contain text from the host. */
export function toTransportFailure(thrown: unknown, user: string): TransportFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  // The layer of ssh2 that raised the error.
  if (Reflect.get(error, 'level') === 'client-authentication') return keyRejectedFailure(user);
  const code = errorCode(error);
  const network = NETWORK_TEXTS.get(code);
  if (network !== undefined) return new TransportFailure('unreachable', `${network} (${code})`);
  const missing = NO_COMMON_ALGORITHM.exec(error.message)?.[1];
  if (missing !== undefined) {
    const detail = `the host supports no ${missing} that the transport ssh supports; the transport openssh may support one`;
    return new TransportFailure('unreachable', detail);
  }
  return new TransportFailure('unreachable', `the connection failed: ${sanitizeLine(error.message)}`);
}
