import type { Role } from '../../domain/vocabulary.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { ApiError } from '../../sdk/errors.ts';
import { rejectedError, usageError } from '../errors.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Context } from './contexts-file.ts';
import { readContexts, updateContexts } from './contexts-file.ts';

const notHostlerError = (url: string) =>
  usageError(`${url} is not a Hostler server. A server URL looks like https://hostler.example:8000`);

/** Returns the role of the account. Throws if the password is wrong or no server responds. */
export async function verifyAccount({ client, context }: Pick<Session, 'client' | 'context'>): Promise<Role> {
  const { servers, user } = context;
  try {
    const { role } = (await client.getOwnAccount()).body;
    if (role === undefined) throw notHostlerError(servers[0]);
    return role;
  } catch (error) {
    if (error instanceof SyntaxError) throw notHostlerError(servers[0]);
    if (!(error instanceof ApiError)) throw error;
    const { code, detail } = error.problem;
    // The role enrol cannot read its own account. The server has verified the password before it responds so.
    if (code === 'forbidden') return 'enrol';
    if (code === 'unexpected_response') throw notHostlerError(servers[0]);
    if (code !== 'unauthorized') throw error;
    throw rejectedError(`login to ${servers[0]} as ${user} failed: ${sanitizeLine(detail)}. Nothing was stored`);
  }
}

export function updateSavedPassword(environment: Terminal['environment'], context: Context, password: string): void {
  const isSame = (saved: Context) =>
    saved.user === context.user &&
    saved.password === context.password &&
    saved.servers.some(server => context.servers.includes(server));
  if (!Object.values(readContexts(environment).all).some(isSame)) return;
  updateContexts(environment, ({ current, all }) => {
    const entries = Object.entries(all).map(([name, saved]) => [name, isSame(saved) ? { ...saved, password } : saved]);
    return { current, all: Object.fromEntries(entries) };
  });
}
