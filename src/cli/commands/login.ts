import path from 'node:path';
import type { Command } from 'commander';
import { ServiceUnreachable } from '../../client/client.ts';
import { CLIENT_VARIABLES } from '../../program/client-variables.ts';
import { usageProblem } from '../cli-problem.ts';
import type { CommandLine, CommonOptions } from '../command-line.ts';
import { requireContextName } from '../contexts/context-name.ts';
import { STANDARD_SERVER, STANDARD_USER, serversIn, serverUrl } from '../contexts/context-of.ts';
import { viewContext } from '../contexts/context-view.ts';
import type { Context, Contexts } from '../contexts/contexts-file.ts';
import { changeContexts, readContexts, without } from '../contexts/contexts-file.ts';
import { verifyAccount } from '../contexts/verify-account.ts';
import type { Printer } from '../output/printer.ts';
import { readSecret } from '../read-secret.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';

interface LoginOptions extends CommonOptions {
  readonly name?: string;
  readonly passwordStdin?: true;
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

async function askOr(terminal: Terminal, question: string, standard: string): Promise<string> {
  return (await terminal.ask(`${question} [${standard}]: `)).trim() || standard;
}

async function chooseServers(
  terminal: Terminal,
  named: readonly string[],
  kept: Context | undefined,
): Promise<Context['servers']> {
  const given = named.length > 0 ? named : serversIn(terminal.environment['HOSTLER_URL']);
  if (given === undefined && !terminal.canAsk)
    throw usageProblem('no server URL given. Run: hostler login URL');
  const answered = given ?? [await askOr(terminal, 'Server', kept?.servers[0] ?? STANDARD_SERVER)];
  const [first = STANDARD_SERVER, ...others] = [...new Set(answered.map(serverUrl))];
  for (const url of [first, ...others].map(each => new URL(each)))
    if (url.protocol === 'http:' && !isLoopback(url))
      terminal.tell(
        `hostler: warning: the connection to ${url.origin} is not encrypted, and the password is sent in clear text. Use https\n`,
      );
  return [first, ...others];
}

async function chooseUser(terminal: Terminal, wanted: string | undefined, kept: Context | undefined) {
  const given = wanted ?? (terminal.environment['HOSTLER_USER'] || undefined);
  if (given !== undefined) return given;
  return terminal.canAsk ? askOr(terminal, 'User', kept?.user ?? STANDARD_USER) : STANDARD_USER;
}

/** The one of the same account at the same server is replaced; another one is not. */
export function nameFor({ servers, user }: Context, { all }: Contexts): string {
  const same = Object.entries(all).find(([, kept]) => kept.user === user && kept.servers[0] === servers[0]);
  if (same) return same[0];
  const { host } = new URL(servers[0]);
  return Object.hasOwn(all, host) ? `${user}@${host}` : host;
}

/** Each server by itself: one with a slip in its address would get the password with every request. */
async function verify(terminal: Terminal, print: Printer, context: Context) {
  const silent: ServiceUnreachable[] = [];
  const roles = [];
  for (const server of context.servers) {
    try {
      roles.push(await verifyAccount(openSession(terminal, print, { ...context, servers: [server] })));
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) throw error;
      silent.push(error);
    }
  }
  const [role] = roles;
  if (role === undefined) throw silent[0];
  for (const { urls } of silent)
    terminal.tell(`hostler: warning: ${urls[0]} does not respond; it is stored in the context anyway\n`);
  return role;
}

async function login(cli: CommandLine, options: LoginOptions, url: string | undefined): Promise<void> {
  const { terminal } = cli;
  const { environment } = terminal;
  const wantedName = options.name ?? options.context;
  if (wantedName !== undefined) requireContextName(wantedName);
  const contexts = readContexts(environment);
  const kept = contexts.current === undefined ? undefined : contexts.all[contexts.current];
  const named = [...(url === undefined ? [] : [url]), ...(options.server ?? [])];
  const servers = await chooseServers(terminal, named, kept);
  const user = await chooseUser(terminal, options.user, kept);
  const caFile = options.caFile ?? (environment['HOSTLER_CA_FILE'] || undefined);
  const isOnInput = options.passwordStdin === true;
  const fromEnvironment = isOnInput ? undefined : environment['HOSTLER_PASSWORD'] || undefined;
  const password =
    fromEnvironment ??
    (await readSecret(terminal, { what: `password of ${user}`, flag: '--password-stdin', isOnInput }));
  const context = { servers, user, password, ...(caFile !== undefined && { caFile: path.resolve(caFile) }) };
  const print = cli.printer(options);
  const role = await verify(terminal, print, context);
  const name = wantedName ?? nameFor(context, contexts);
  changeContexts(environment, ({ all }) => ({ current: name, all: { ...all, [name]: context } }));
  await print.done(`logged in to ${servers.join(' and ')} as ${user} (role ${role}), context ${name}`, {
    value: viewContext(name, context, true),
    name,
  });
  // Else the login would seem to have no effect.
  const overriding = CLIENT_VARIABLES.filter(each => environment[each]);
  if (overriding.length > 0)
    terminal.tell(
      `hostler: warning: commands will use ${overriding.join(', ')} from the environment instead of this context\n`,
    );
}

async function logout(cli: CommandLine, options: CommonOptions): Promise<void> {
  const { environment } = cli.terminal;
  const { current, all } = readContexts(environment);
  const name = options.context ?? current;
  if (name === undefined || !Object.hasOwn(all, name))
    throw usageProblem(name === undefined ? 'not logged in' : `the context ${name} does not exist`);
  const { [name]: gone, ...others } = all;
  changeContexts(environment, now => without(now, name));
  const next = Object.keys(others)[0];
  const advice =
    name === current && next !== undefined
      ? `. Switch to another context with: hostler context use ${next}`
      : '';
  await cli.printer(options).done(`logged out, context ${name} removed${advice}`, {
    value: gone && viewContext(name, gone, false),
    name,
  });
}

export function addLoginCommands(program: Command, cli: CommandLine): void {
  program
    .command('login')
    .description('Log in to a server and store the login as a context')
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
    .action(cli.alone((options: LoginOptions, url: string | undefined) => login(cli, options, url)));
  program
    .command('logout')
    .description('Log out: remove the current context, or the one in --context')
    .action(cli.alone((options: CommonOptions) => logout(cli, options)));
}
