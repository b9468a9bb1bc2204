import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { Static } from 'typebox';
import { RequestRefused } from '../../client/client.ts';
import { utcTime } from '../../client/times.ts';
import type { Account } from '../../contract/routes/accounts.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { ROLES } from '../../domain/vocabulary.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem } from '../cli-problem.ts';
import type { CommandLine } from '../command-line.ts';
import { watchOption, yesOption } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import { keepPassword } from '../contexts/keep-password.ts';
import type { Column } from '../output/table.ts';
import { ago } from '../output/time-words.ts';
import { readSecret } from '../read-secret.ts';
import type { Session } from '../session.ts';

type AccountRecord = Static<typeof Account>;

const columns = (nowMs: number): readonly Column<AccountRecord>[] => [
  { header: 'NAME', of: ({ name }) => name },
  { header: 'ROLE', of: ({ role }) => role },
  { header: 'CREATED', of: ({ created_at }) => ago(created_at, nowMs) },
  { header: 'CHANGED', of: ({ changed_at }) => ago(changed_at, nowMs) },
];

interface PasswordOptions {
  readonly passwordStdin?: true;
}

const newPassword = (
  { terminal }: Session,
  { passwordStdin = false }: { passwordStdin?: boolean },
  name: string,
) =>
  readSecret(terminal, {
    what: `new password of ${name}`,
    flag: '--password-stdin',
    isOnInput: passwordStdin,
    isNew: true,
  });

async function isThere({ client }: Session, name: string): Promise<boolean> {
  try {
    await client.getAccount({ name });
    return true;
  } catch (error) {
    if (error instanceof RequestRefused && error.problem.code === 'not_found') return false;
    throw error;
  }
}

async function list({ client, print, terminal }: Session): Promise<void> {
  const { body: rows } = await client.listAccounts();
  await print.list({
    rows,
    columns: columns(terminal.clock.now()),
    nameOf: ({ name }) => name,
    whenEmpty: 'No accounts found. Create one with: hostler user create NAME --role ROLE',
  });
}

/** The own account is for everybody to see, others for admins. */
async function show({ client, print, context }: Session, _options: object, wanted: string | undefined) {
  const isOwn = wanted === undefined || wanted === context.user;
  const { body: value } = await (isOwn ? client.getOwnAccount() : client.getAccount({ name: wanted }));
  await print.show({
    ...{ value, name: value.name },
    fields: [
      { label: 'name', text: value.name },
      { label: 'role', text: value.role },
      { label: 'created', text: utcTime(value.created_at) },
      { label: 'changed', text: utcTime(value.changed_at) },
    ],
  });
}

/** A second one of the same name would get another password, and its owner would be out. */
async function create(session: Session, options: PasswordOptions & { readonly role: Role }, name: string) {
  if (await isThere(session, name))
    throw new CliProblem(
      EXIT.refused,
      `the account ${name} already exists. Change it with: hostler user password ${name}, or: hostler user role ${name} ROLE`,
    );
  const password = await newPassword(session, options, name);
  const { body: value } = await session.client.putAccount({ name, body: { password, role: options.role } });
  await session.print.done(`account ${name} created (role ${value.role})`, { value, name });
}

async function remove(session: Session, { yes }: { readonly yes?: true }, name: string): Promise<void> {
  const { client, print, terminal } = session;
  await client.getAccount({ name });
  await confirm(terminal, `Remove account ${name}?`, yes);
  await client.removeAccount({ name });
  await print.done(`account ${name} removed`, { value: [], name });
}

async function setPassword(session: Session, options: PasswordOptions, wanted: string | undefined) {
  const { client, print, context, terminal } = session;
  const name = wanted ?? context.user;
  const password = await newPassword(session, options, name);
  const { body: value } = await client.changePassword({ name, body: { password } });
  if (name === context.user) keepPassword(terminal.environment, context, password);
  await print.done(`password of account ${name} changed`, { value, name });
}

/** The service sets role and password together. */
async function setRole(session: Session, options: PasswordOptions, name: string, role: Role): Promise<void> {
  const { client, print, context, terminal } = session;
  await client.getAccount({ name });
  const password = await newPassword(session, options, name);
  const { body: value } = await client.putAccount({ name, body: { password, role } });
  if (name === context.user) keepPassword(terminal.environment, context, password);
  await print.done(`role of account ${name} changed to ${value.role}, password set`, { value, name });
}

export function addUserCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('user').description('Manage accounts');
  const name = ['<user>', 'Account name'] as const;
  const ownOr = ['[user]', 'Account name (default: your own account)'] as const;
  const onInput = () => new Option('--password-stdin', 'Read the password from stdin');
  noun
    .command('create')
    .description('Create an account')
    .argument(...name)
    .addOption(
      new Option('--role <role>', 'Role of the account (required)').choices([...ROLES]).makeOptionMandatory(),
    )
    .addOption(onInput())
    .addHelpText('after', '\nExample:\n  hostler user create ann --role operator\n')
    .action(cli.withSession(create));
  noun.command('list').description('List accounts').addOption(watchOption()).action(cli.showing(list));
  noun
    .command('show')
    .description('Show an account')
    .argument(...ownOr)
    .action(cli.withSession(show));
  noun
    .command('password')
    .description('Change the password of an account')
    .argument(...ownOr)
    .addOption(onInput())
    .action(cli.withSession(setPassword));
  noun
    .command('role')
    .description('Change the role of an account and set its password, which can stay the same')
    .argument(...name)
    .addArgument(new Argument('<role>', 'New role').choices([...ROLES]))
    .addOption(onInput())
    .action(cli.withSession(setRole));
  noun
    .command('remove')
    .description('Remove an account')
    .argument(...name)
    .addOption(yesOption())
    .action(cli.withSession(remove));
}
