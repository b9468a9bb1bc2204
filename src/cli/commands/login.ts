import path from 'node:path';
import type { Command } from 'commander';
import { ServiceUnreachableError } from '../../sdk/errors.ts';
import type { ActionBuilder, CommonOptions } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { verifyAccount } from '../contexts/account.ts';
import type { Context, Contexts } from '../contexts/contexts-file.ts';
import { readContexts, removeContext, updateContexts } from '../contexts/contexts-file.ts';
import {
  DEFAULT_SERVER,
  DEFAULT_USER,
  parseServerList,
  parseServerUrl,
  requireContextName,
  toContextView,
} from '../contexts/resolve-context.ts';
import { notFoundError, usageError } from '../errors.ts';
import { readSecret } from '../input/prompts.ts';
import type { Printer } from '../output/printer.ts';
import { CLIENT_VARIABLES } from '../program.ts';
import type { LocalSession } from '../session.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface LoginOptions extends CommonOptions {
  readonly name?: string;
  readonly passwordStdin?: true;
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

async function promptWithDefault(terminal: Terminal, question: string, defaultValue: string): Promise<string> {
  return (await terminal.prompt(`${question} [${defaultValue}]: `)).trim() || defaultValue;
}

async function chooseServers(
  terminal: Terminal,
  givenUrls: readonly string[],
  saved: Context | undefined,
): Promise<Context['servers']> {
  const explicitUrls = givenUrls.length > 0 ? givenUrls : parseServerList(terminal.environment['HOSTLER_URL']);
  if (explicitUrls === undefined && !terminal.canPrompt)
    throw usageError('no server URL given. Run: hostler login URL');
  const urls = explicitUrls ?? [await promptWithDefault(terminal, 'Server', saved?.servers[0] ?? DEFAULT_SERVER)];
  const [first = DEFAULT_SERVER, ...others] = [...new Set(urls.map(parseServerUrl))];
  for (const url of [first, ...others].map(origin => new URL(origin)))
    if (url.protocol === 'http:' && !isLoopback(url))
      terminal.writeErr(
        `hostler: warning: the connection to ${url.origin} is not encrypted, and the password is sent in clear text. Use https\n`,
      );
  return [first, ...others];
}

async function chooseUser(terminal: Terminal, requestedUser: string | undefined, saved: Context | undefined) {
  const explicitUser = requestedUser ?? (terminal.environment['HOSTLER_USER'] || undefined);
  if (explicitUser !== undefined) return explicitUser;
  return terminal.canPrompt ? promptWithDefault(terminal, 'User', saved?.user ?? DEFAULT_USER) : DEFAULT_USER;
}

/** Returns the name of the context with the same account and server, or a name that is not in use. */
function chooseContextName({ servers, user }: Context, { all }: Contexts): string {
  const existing = Object.entries(all).find(([, saved]) => saved.user === user && saved.servers[0] === servers[0]);
  if (existing) return existing[0];
  const { host } = new URL(servers[0]);
  return Object.hasOwn(all, host) ? `${user}@${host}` : host;
}

/** Verifies each server separately: later requests send the password to all of them, and a URL can be mistyped. */
async function verifyServers(terminal: Terminal, printer: Printer, context: Context) {
  const unreachable: ServiceUnreachableError[] = [];
  const roles = [];
  for (const server of context.servers) {
    try {
      roles.push(await verifyAccount(openSession(terminal, printer, { ...context, servers: [server] })));
    } catch (error) {
      if (!(error instanceof ServiceUnreachableError)) throw error;
      unreachable.push(error);
    }
  }
  const [role] = roles;
  if (role === undefined) throw unreachable[0];
  for (const { urls } of unreachable)
    terminal.writeErr(`hostler: warning: ${urls[0]} does not respond; it is stored in the context anyway\n`);
  return role;
}

async function login({ terminal, printer }: LocalSession, options: LoginOptions, url: string | undefined) {
  const { environment } = terminal;
  const requestedName = options.name ?? options.context;
  if (requestedName !== undefined) requireContextName(requestedName);
  const contexts = readContexts(environment);
  const saved = contexts.current === undefined ? undefined : contexts.all[contexts.current];
  const givenUrls = [...(url === undefined ? [] : [url]), ...(options.server ?? [])];
  const servers = await chooseServers(terminal, givenUrls, saved);
  const user = await chooseUser(terminal, options.user, saved);
  const caFile = options.caFile ?? (environment['HOSTLER_CA_FILE'] || undefined);
  const readsStdin = options.passwordStdin === true;
  const fromEnvironment = readsStdin ? undefined : environment['HOSTLER_PASSWORD'] || undefined;
  const password =
    fromEnvironment ??
    (await readSecret(terminal, { label: `password of ${user}`, stdinFlag: '--password-stdin', readsStdin }));
  const context = { servers, user, password, ...(caFile !== undefined && { caFile: path.resolve(caFile) }) };
  const role = await verifyServers(terminal, printer, context);
  const name = requestedName ?? chooseContextName(context, contexts);
  updateContexts(environment, ({ all }) => ({ current: name, all: { ...all, [name]: context } }));
  const message = `logged in to ${servers.join(' and ')} as ${user} (role ${role}), context ${name}`;
  await printer.printResult(message, toContextView(name, context, true), name);
  // Otherwise the login would seem to have no effect.
  const overriding = CLIENT_VARIABLES.filter(variable => environment[variable]);
  if (overriding.length > 0)
    terminal.writeErr(
      `hostler: warning: commands will use ${overriding.join(', ')} from the environment instead of this context\n`,
    );
}

async function logout({ terminal, printer }: LocalSession, options: CommonOptions): Promise<void> {
  const { current, all } = readContexts(terminal.environment);
  const name = options.context ?? current;
  if (name === undefined || !Object.hasOwn(all, name))
    throw name === undefined ? usageError('not logged in') : notFoundError(`the context ${name} does not exist`);
  const { [name]: removed, ...others } = all;
  updateContexts(terminal.environment, contexts => removeContext(contexts, name));
  const next = Object.keys(others)[0];
  const hint =
    name === current && next !== undefined ? `. Switch to another context with: hostler context use ${next}` : '';
  const value = removed && toContextView(name, removed, false);
  await printer.printResult(`logged out, context ${name} removed${hint}`, value, name);
}

export function addLoginCommands(program: Command, cli: ActionBuilder): void {
  addCommand(program, 'login', 'Log in to a server and store the login as a context')
    .argument(
      '[url]',
      'Server URL, for example https://hostler.example:8000; add servers of the same store with --server',
    )
    .option('--name <context>', 'Context name (default: derived from the server URL)')
    .option('--password-stdin', 'Read the password from stdin')
    .addHelpText(
      'after',
      `
The command prompts for the password unless HOSTLER_PASSWORD is set. It stores
the password in a file that only you can read.

Examples:
  hostler login https://hostler.example:8000 --user ann
  hostler login https://a.example --server https://b.example
  pass show hostler | hostler login https://hostler.example:8000 --user ci --password-stdin
`,
    )
    .action(cli.withoutSession(login));
  addCommand(program, 'logout', 'Log out: remove the current context, or the one in --context').action(
    cli.withoutSession(logout),
  );
}
