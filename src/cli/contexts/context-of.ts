import type { ClientEnvironment } from '../../program/client-variables.ts';
import { usageProblem } from '../cli-problem.ts';
import type { Terminal } from '../terminal.ts';
import type { Context } from './contexts-file.ts';
import { readContexts } from './contexts-file.ts';

/** What the command line says of it. */
export interface ContextWish {
  readonly context?: string;
  readonly server?: readonly string[];
  readonly user?: string;
  readonly caFile?: string;
}

export const STANDARD_SERVER = 'http://127.0.0.1:8000';
export const STANDARD_USER = 'admin';

/** Asked for by name, it must be there. */
function keptContext(environment: Terminal['environment'], wanted: string | undefined): Context | undefined {
  const { current, all } = readContexts(environment);
  const name = wanted ?? current;
  if (name === undefined) return undefined;
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found) return found;
  const known = Object.keys(all).join(', ') || 'none';
  throw usageProblem(
    `the context ${name} does not exist (available: ${known}). Create it with: hostler login --name ${name} URL`,
  );
}

export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usageProblem(`invalid server URL "${text}": it must look like https://hostler.example:8000`);
  if (url.username || url.password)
    throw usageProblem(
      'a server URL must not contain a user name or password. Log in with: hostler login URL',
    );
  if (url.pathname !== '/' || url.search || url.hash)
    throw usageProblem(`invalid server URL "${text}": remove everything after ${url.origin}`);
  return url.origin;
}

/** Servers as `HOSTLER_URL` names them. */
export const serversIn = (text: string | undefined): readonly string[] | undefined =>
  text ? text.split(',').map(each => each.trim()) : undefined;

/** Flags count before the environment, and that before what is kept. A kept password is sent for no other user, and to no other server. */
export function contextOf({ environment }: Pick<Terminal, 'environment'>, wish: ContextWish): Context {
  const { HOSTLER_CONTEXT, HOSTLER_URL, HOSTLER_USER, HOSTLER_PASSWORD, HOSTLER_CA_FILE }: ClientEnvironment =
    environment;
  const wanted = wish.context ?? (HOSTLER_CONTEXT || undefined);
  const isAllSaid = (wish.server ?? HOSTLER_URL) && (wish.user ?? HOSTLER_USER) && HOSTLER_PASSWORD;
  // What is kept need not even be in order then.
  const kept = wanted === undefined && isAllSaid ? undefined : keptContext(environment, wanted);
  const servers = wish.server ?? serversIn(HOSTLER_URL) ?? kept?.servers ?? [STANDARD_SERVER];
  const [first = STANDARD_SERVER, ...others] = servers.map(serverUrl);
  const user = wish.user ?? (HOSTLER_USER || kept?.user) ?? STANDARD_USER;
  const isKeptFor = kept?.user === user && [first, ...others].every(server => kept.servers.includes(server));
  const password = HOSTLER_PASSWORD || (isKeptFor ? kept.password : undefined);
  if (password === undefined)
    throw usageProblem(
      `not logged in to ${[first, ...others].join(' and ')} as ${user}. Log in with: hostler login ${first}, or set HOSTLER_PASSWORD`,
    );
  const caFile = wish.caFile ?? (HOSTLER_CA_FILE || kept?.caFile);
  return { servers: [first, ...others], user, password, ...(caFile && { caFile }) };
}
