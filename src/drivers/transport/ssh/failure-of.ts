import { TransportFailure } from '../../../domain/transport-failure.ts';
import { errorCode } from '../../../lib/errors/error-code.ts';
import { harmless } from '../../../lib/text/harmless.ts';

/** What the network says, in words that tell what to look at. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: is sshd running, and on this port?',
  ECONNRESET: 'the host cut the connection',
  EPIPE: 'the host cut the connection',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'the host does not answer',
  EHOSTDOWN: 'the host is down',
};

/** What host and client could have had in common; OpenSSH itself knows more. */
const IN_COMMON = /^Handshake failed: no matching (?:[CS]->[CS] )?(.+)$/;

/** Where in the library it came from. */
const levelOf = (error: Error): unknown => Reflect.get(error, 'level');

/** What an error of the ssh library means. Part of what it says may come from the host. */
export function failureOf(thrown: unknown, user: string): TransportFailure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (levelOf(error) === 'client-authentication') {
    return new TransportFailure('auth_rejected', `it does not let ${harmless(user)} in with this key`);
  }
  const code = errorCode(error);
  const network = NETWORK[code];
  if (network !== undefined) return new TransportFailure('unreachable', `${network} (${code})`);
  const missing = IN_COMMON.exec(error.message)?.[1];
  if (missing !== undefined) {
    const detail = `it knows no ${missing} that the transport ssh knows; the transport openssh may know one`;
    return new TransportFailure('unreachable', detail);
  }
  return new TransportFailure('unreachable', `the connection failed: ${harmless(error.message)}`);
}
