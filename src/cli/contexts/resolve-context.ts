import { usageError } from '../errors.ts';
import type { ClientEnvironment } from '../program.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Context } from './contexts-file.ts';
import { findContext, readContexts } from './contexts-file.ts';

export interface ContextFlags {
  readonly context?: string | undefined;
  readonly server?: readonly string[] | undefined;
  readonly user?: string | undefined;
  readonly caFile?: string | undefined;
}

export const DEFAULT_SERVER = 'http://127.0.0.1:8000';
export const DEFAULT_USER = 'admin';

/** A context that is requested by name must exist. */
function findSavedContext(environment: Terminal['environment'], requestedName: string | undefined) {
  const contexts = readContexts(environment);
  const name = requestedName ?? contexts.current;
  if (name === undefined) return undefined;
  return findContext(contexts, name, `. Create it with: hostler login --name ${name} URL`);
}

export function parseServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usageError(`invalid server URL "${text}": it must look like https://hostler.example:8000`);
  if (url.username || url.password)
    throw usageError('a server URL must not contain a user name or password. Log in with: hostler login URL');
  if (url.pathname !== '/' || url.search || url.hash)
    throw usageError(`invalid server URL "${text}": remove everything after ${url.origin}`);
  return url.origin;
}

export const parseServerList = (text: string | undefined): readonly string[] | undefined =>
  text ? text.split(',').map(url => url.trim()) : undefined;

/**
 * Flags override the environment, and the environment overrides the stored context. A stored password is sent
 * only for its own user and to its own servers.
 */
export function resolveContext({ environment }: Pick<Terminal, 'environment'>, flags: ContextFlags): Context {
  const { HOSTLER_CONTEXT, HOSTLER_URL, HOSTLER_USER, HOSTLER_PASSWORD, HOSTLER_CA_FILE }: ClientEnvironment =
    environment;
  const requestedName = flags.context ?? (HOSTLER_CONTEXT || undefined);
  const isFullySpecified = (flags.server ?? HOSTLER_URL) && (flags.user ?? HOSTLER_USER) && HOSTLER_PASSWORD;
  // The contexts file is then not read, so it can be invalid.
  const saved =
    requestedName === undefined && isFullySpecified ? undefined : findSavedContext(environment, requestedName);
  const servers = flags.server ?? parseServerList(HOSTLER_URL) ?? saved?.servers ?? [DEFAULT_SERVER];
  const [first = DEFAULT_SERVER, ...others] = servers.map(parseServerUrl);
  const user = flags.user ?? (HOSTLER_USER || saved?.user) ?? DEFAULT_USER;
  const passwordApplies = saved?.user === user && [first, ...others].every(server => saved.servers.includes(server));
  const password = HOSTLER_PASSWORD || (passwordApplies ? saved.password : undefined);
  if (password === undefined)
    throw usageError(
      `not logged in to ${[first, ...others].join(' and ')} as ${user}. Log in with: hostler login ${first}, or set HOSTLER_PASSWORD`,
    );
  const caFile = flags.caFile ?? (HOSTLER_CA_FILE || saved?.caFile);
  return { servers: [first, ...others], user, password, ...(caFile && { caFile }) };
}

const CONTEXT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.:@[\]-]{0,127}$/;

/** A name must not need quotes in a shell. */
export function requireContextName(name: string): void {
  if (!CONTEXT_NAME.test(name)) throw usageError(`invalid context name "${name}": use letters, digits and . _ : @ -`);
}

/** Without the password. */
export const toContextView = (name: string, { servers, user, caFile }: Context, isCurrent: boolean) => ({
  name,
  current: isCurrent,
  servers,
  user,
  ca_file: caFile,
});
