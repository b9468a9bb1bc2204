import type { Command } from 'commander';
import type { Static } from 'typebox';
import { duration, timeOf, utcTime } from '../../client/times.ts';
import type { Token } from '../../contract/routes/tokens.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { plural } from '../../lib/text/plural.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem } from '../cli-problem.ts';
import type { CommandLine } from '../command-line.ts';
import { watchOption, yesOption } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { statusStyle } from '../output/status-style.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';
import type { TokenLimits } from './token-limits.ts';
import { tokenLimits, withTokenLimits } from './token-limits.ts';

type TokenRecord = Static<typeof Token>;

const columns = (nowMs: number): readonly Column<TokenRecord>[] => [
  { header: 'NAME', of: ({ name }) => name },
  { header: 'STATE', of: ({ state }) => state, style: ({ state }) => statusStyle(state) },
  { header: 'CLUSTER', of: ({ cluster }) => cluster },
  { header: 'USED', of: ({ used, uses }) => `${used}/${uses}`, isRight: true },
  {
    header: 'EXPIRES',
    of: ({ expires_at, state }) => (state === 'expired' ? '' : `in ${duration(timeOf(expires_at) - nowMs)}`),
  },
  { header: 'SOURCE NETWORK', of: ({ cidr }) => cidr },
];

async function list({ client, print, terminal }: Session): Promise<void> {
  const { body: rows } = await client.listTokens();
  await print.list({
    rows,
    columns: columns(terminal.clock.now()),
    nameOf: ({ name }) => name,
    whenEmpty: 'No enrolment tokens found. Create one with: hostler token create NAME',
  });
}

async function show({ client, print }: Session, _options: object, name: string): Promise<void> {
  const { body: value } = await client.getToken({ name });
  await print.show({
    ...{ value, name },
    fields: [
      { label: 'name', text: value.name },
      { label: 'state', text: value.state, style: statusStyle(value.state) },
      { label: 'cluster', text: value.cluster },
      { label: 'used', text: `${value.used} of ${value.uses}` },
      { label: 'expires', text: utcTime(value.expires_at) },
      { label: 'source network', text: value.cidr },
      { label: 'created', text: utcTime(value.created_at) },
    ],
  });
}

interface CreateOptions extends TokenLimits {
  readonly cluster?: string;
}

/** For people the secret is all that goes to the standard output, so that it can be kept by `> file`. */
async function create({ client, print, terminal }: Session, options: CreateOptions, name: string) {
  const { cluster } = options;
  const { body: value } = await client.putToken({
    name,
    body: { ...(cluster !== undefined && { cluster }), ...tokenLimits(options) },
  });
  const { secret } = value;
  if (secret !== undefined && print.format === 'name')
    terminal.tell(
      `hostler: warning: -o name omits the secret of ${name}, which cannot be shown again. Remove the token and create it with -o json\n`,
    );
  if (secret === undefined)
    throw new CliProblem(
      EXIT.refused,
      `the token ${name} already exists, and its secret cannot be shown again. Remove it first, or use another name`,
    );
  if (!print.isForPeople) {
    await print.done('', { value, name });
    return;
  }
  const where = value.cidr === '' ? '' : ` from ${harmless(value.cidr)}`;
  terminal.tell(
    `token ${name} created: ${plural(value.uses, 'host')} can enrol with it${where} until ${utcTime(value.expires_at)}.\n` +
      'Copy the secret now. It is not shown again:\n',
  );
  terminal.write(`${harmless(secret)}\n`);
}

async function remove({ client, print, terminal }: Session, { yes }: { readonly yes?: true }, name: string) {
  await client.getToken({ name });
  await confirm(terminal, `Remove token ${name}? No further host can enrol with it.`, yes);
  await client.removeToken({ name });
  await print.done(`token ${name} removed`, { value: [], name });
}

export function addTokenCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('token').description('Manage enrolment tokens');
  const name = ['<token>', 'Token name'] as const;
  withTokenLimits(
    noun
      .command('create')
      .description('Create an enrolment token; its secret is printed only once')
      .argument(...name)
      .option('--cluster <cluster>', 'Cluster that the hosts join'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  hostler token create rack-7 --cluster web --uses 40 --expires 2h --cidr 10.7.0.0/16\n',
    )
    .action(cli.withSession(create));
  noun
    .command('list')
    .description('List enrolment tokens')
    .addOption(watchOption())
    .action(cli.showing(list));
  noun
    .command('show')
    .description('Show an enrolment token, without its secret')
    .argument(...name)
    .addOption(watchOption())
    .action(cli.showing(show));
  noun
    .command('remove')
    .description('Remove an enrolment token; enrolled hosts do not change')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
