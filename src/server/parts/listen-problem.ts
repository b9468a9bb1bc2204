import { codeOrMessage } from '../../lib/errors/code-or-message.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { hostAndPort } from '../../lib/text/host-and-port.ts';
import type { ListenAddress } from '../configuration/setting-values.ts';

/** What stays until the setting is another, or the machine. */
const LASTING: Readonly<Record<string, string>> = {
  EACCES: 'this user may not take it; choose a port above 1023 by --listen',
  EADDRNOTAVAIL: 'this machine has no such address; choose another by --listen',
  EAFNOSUPPORT: 'this machine has no addresses of this kind; choose another by --listen',
  ENOTFOUND: 'there is no such name; choose another by --listen',
};

/** What may be gone a moment later. */
const PASSING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has it; stop that one, or choose another by --listen',
  EAI_AGAIN: 'nobody says at this moment what address that is; name an address by --listen, or try again',
};

/** Why nobody can listen there, and what to do. */
export function listenProblem(error: unknown, { host, port }: ListenAddress): PlainError {
  const reason = codeOrMessage(error);
  const where = hostAndPort(host, port);
  const lasting = LASTING[reason];
  if (lasting !== undefined) return new LastingError(`${where}: ${lasting}`);
  return new PlainError(
    `${where}: ${PASSING[reason] ?? `it cannot be used (${reason}); choose another by --listen`}`,
  );
}
