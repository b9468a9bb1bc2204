import type { Command } from 'commander';
import { Argument, InvalidArgumentError } from 'commander';
import type { Static } from 'typebox';
import type { Token } from '../../contract/routes/tokens.ts';
import { TOKEN_LIFETIME_S } from '../../domain/defaults.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { formatCount } from '../../lib/text.ts';
import { formatDuration, parseWireTime, utcTime } from '../../sdk/format.ts';
import type { ActionBuilder, YesOption } from '../actions.ts';
import { addCommand, yesOption } from '../actions.ts';
import { rejectedError } from '../errors.ts';
import { parseDuration, parsePositiveInteger } from '../input/option-parsers.ts';
import { confirm } from '../input/prompts.ts';
import { getStatusStyle } from '../output/format.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';

export interface TokenLimits {
  /** In milliseconds. */
  readonly expires?: number;
  readonly uses?: number;
  readonly cidr?: string;
}

/** Returns milliseconds. */
function parseLifetime(text: string): number {
  const ms = parseDuration(text);
  const [min, max] = [TOKEN_LIFETIME_S.min * 1000, TOKEN_LIFETIME_S.max * 1000];
  if (ms < min || ms > max)
    throw new InvalidArgumentError(`It must be from ${formatDuration(min)} to ${formatDuration(max)}.`);
  return ms;
}

export const withTokenLimits = (command: Command): Command =>
  command
    .option('--expires <duration>', 'Lifetime of the token, for example 2h or 7d (default: 1d)', parseLifetime)
    .option('--uses <count>', 'Number of hosts that can enrol with the token (default: 1)', parsePositiveInteger)
    .option('--cidr <network>', 'Network that hosts must connect from, for example 10.0.0.0/8 (default: any)');

export const tokenLimits = ({ expires, uses, cidr }: TokenLimits) => ({
  expires_in_s: expires === undefined ? undefined : Math.round(expires / 1000),
  uses,
  cidr,
});

const columns = (nowMs: number): readonly Column<Static<typeof Token>>[] => [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATE', value: ({ state }) => state, style: ({ state }) => getStatusStyle(state) },
  { header: 'CLUSTER', value: ({ cluster }) => cluster },
  { header: 'USED', value: ({ used, uses }) => `${used}/${uses}`, isRightAligned: true },
  {
    header: 'EXPIRES',
    value: ({ expires_at, state }) =>
      state === 'expired' ? '' : `in ${formatDuration(parseWireTime(expires_at) - nowMs)}`,
  },
  { header: 'SOURCE NETWORK', value: ({ cidr }) => cidr },
];

async function list({ client, printer, terminal }: Session): Promise<void> {
  const { body: rows } = await client.listTokens();
  await printer.printList({
    rows,
    columns: columns(terminal.clock.now()),
    getName: ({ name }) => name,
    emptyMessage: 'No enrolment tokens found. Create one with: hostler token create NAME',
  });
}

async function show({ client, printer }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.getToken({ name });
  await printer.printRecord(value, name, [
    ['name', value.name],
    ['state', value.state, getStatusStyle(value.state)],
    ['cluster', value.cluster],
    ['used', `${value.used} of ${value.uses}`],
    ['expires', utcTime(value.expires_at)],
    ['source network', value.cidr],
    ['created', utcTime(value.created_at)],
  ]);
}

/** In human-readable formats only the secret goes to stdout, so that the user can redirect it to a file. */
async function create(session: Session, options: TokenLimits & { readonly cluster?: string }, name: string) {
  const { client, printer, terminal } = session;
  const { body: value } = await client.putToken({ name, body: { cluster: options.cluster, ...tokenLimits(options) } });
  const { secret } = value;
  if (secret !== undefined && printer.format === 'name')
    terminal.writeErr(
      `hostler: warning: -o name omits the secret of ${name}, which cannot be shown again. Remove the token and create it with -o json\n`,
    );
  if (secret === undefined)
    throw rejectedError(
      `the token ${name} already exists, and its secret cannot be shown again. Remove it first, or use another name`,
    );
  if (!printer.isHumanReadable) return printer.printStructured(value, [name]);
  const source = value.cidr === '' ? '' : ` from ${sanitizeLine(value.cidr)}`;
  terminal.writeErr(
    `token ${name} created: ${formatCount(value.uses, 'host')} can enrol with it${source} until ${utcTime(value.expires_at)}.\n` +
      'Copy the secret now. It is not shown again:\n',
  );
  terminal.writeOut(`${sanitizeLine(secret)}\n`);
}

async function remove({ client, printer, terminal }: Session, { yes }: YesOption, name: string): Promise<void> {
  await client.getToken({ name });
  await confirm(terminal, `Remove token ${name}? No further host can enrol with it.`, yes);
  await client.removeToken({ name });
  await printer.printResult(`token ${name} removed`, [], name);
}

const TOKEN = new Argument('<token>', 'Token name');

export function addTokenCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'token', 'Manage enrolment tokens');
  withTokenLimits(
    addCommand(group, 'create', 'Create an enrolment token; its secret is printed only once', TOKEN).option(
      '--cluster <cluster>',
      'Cluster that the hosts join',
    ),
  )
    .addHelpText(
      'after',
      '\nExample:\n  hostler token create rack-7 --cluster web --uses 40 --expires 2h --cidr 10.7.0.0/16\n',
    )
    .action(cli.withSession(create));
  cli.addListAction(addCommand(group, 'list', 'List enrolment tokens'), list);
  cli.addWatchAction(addCommand(group, 'show', 'Show an enrolment token, without its secret', TOKEN), show);
  addCommand(group, 'remove', 'Remove an enrolment token; enrolled hosts do not change', TOKEN)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
