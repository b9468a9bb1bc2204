import { codeOrMessage } from '../../lib/errors/code-or-message.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { hostAndPort } from '../../lib/text/host-and-port.ts';
import type { ListenAddress } from '../configuration/setting-values.ts';

/** What stays until the setting is another, or the machine. */
const LASTING: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; use a port above 1023 (--listen)',
  EADDRNOTAVAIL: 'this machine does not have this address; change --listen',
  EAFNOSUPPORT: 'this machine does not support addresses of this family; change --listen',
  ENOTFOUND: 'the name does not exist; change --listen',
};

/** What may be gone a moment later. */
const PASSING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is already in use; stop the other program, or change --listen',
  EAI_AGAIN: 'the name cannot be resolved at the moment; use an IP address (--listen), or try again',
};

/** Why nobody can listen there, and what to do. */
export function listenProblem(error: unknown, { host, port }: ListenAddress): PlainError {
  const reason = codeOrMessage(error);
  const where = hostAndPort(host, port);
  const lasting = LASTING[reason];
  if (lasting !== undefined) return new LastingError(`${where}: ${lasting}`);
  return new PlainError(`${where}: ${PASSING[reason] ?? `cannot listen (${reason}); change --listen`}`);
}
