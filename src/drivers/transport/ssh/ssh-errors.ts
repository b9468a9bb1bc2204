import { TransportFailure } from '../../../domain/transport-failure.ts';
import { errorCode } from '../../../lib/errors.ts';
import { sanitizeLine } from '../../../lib/sanitize.ts';

const NETWORK_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: check that sshd is running and uses this port',
  ECONNRESET: 'the host closed the connection',
  EPIPE: 'the host closed the connection',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'the network of the host is unreachable',
  ETIMEDOUT: 'the host does not respond',
  EHOSTDOWN: 'the host is down',
};

/** Errors of ssh2 without a common algorithm. OpenSSH supports more algorithms. */
const NO_COMMON_ALGORITHM = /^Handshake failed: no matching (?:[CS]->[CS] )?(.+)$/;

/** The layer of ssh2 that raised the error. */
const errorLevel = (error: Error): unknown => Reflect.get(error, 'level');

/** Error messages can contain text from the host. */
export function toTransportFailure(thrown: unknown, user: string): TransportFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (errorLevel(error) === 'client-authentication') {
    return new TransportFailure('auth_rejected', `the host rejected the user ${sanitizeLine(user)} with this key`);
  }
  const code = errorCode(error);
  const network = NETWORK_ERRORS[code];
  if (network !== undefined) return new TransportFailure('unreachable', `${network} (${code})`);
  const missing = NO_COMMON_ALGORITHM.exec(error.message)?.[1];
  if (missing !== undefined) {
    const detail = `the host supports no ${missing} that the transport ssh supports; the transport openssh may support one`;
    return new TransportFailure('unreachable', detail);
  }
  return new TransportFailure('unreachable', `the connection failed: ${sanitizeLine(error.message)}`);
}
