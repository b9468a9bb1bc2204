import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { Static } from 'typebox';
import type { Account } from '../../contract/routes/accounts.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { ROLES } from '../../domain/vocabulary.ts';
import { ApiError } from '../../sdk/errors.ts';
import { utcTime } from '../../sdk/format.ts';
import type { ActionBuilder, YesOption } from '../actions.ts';
import { addCommand, yesOption } from '../actions.ts';
import { updateSavedPassword } from '../contexts/account.ts';
import { rejectedError } from '../errors.ts';
import { confirm, readSecret } from '../input/prompts.ts';
import { formatAgo } from '../output/format.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';

const columns = (nowMs: number): readonly Column<Static<typeof Account>>[] => [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLE', value: ({ role }) => role },
  {
    header: 'CREATED',
    value: ({ created_at }) => formatAgo(created_at, nowMs),
    sortKey: ({ created_at }) => created_at,
  },
  {
    header: 'CHANGED',
    value: ({ changed_at }) => formatAgo(changed_at, nowMs),
    sortKey: ({ changed_at }) => changed_at,
  },
];

interface PasswordOptions {
  readonly passwordStdin?: true;
}

const readNewPassword = ({ terminal }: Session, { passwordStdin }: PasswordOptions, name: string) =>
  readSecret(terminal, {
    label: `new password of ${name}`,
    stdinFlag: '--password-stdin',
    readsStdin: passwordStdin === true,
    needsConfirmation: true,
  });

async function accountExists({ client }: Session, name: string): Promise<boolean> {
  try {
    await client.getAccount({ name });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.problem.code === 'not_found') return false;
    throw error;
  }
}

async function list({ client, printer, terminal }: Session): Promise<void> {
  const { body: rows } = await client.listAccounts();
  await printer.printList({
    rows,
    columns: columns(terminal.clock.now()),
    getName: ({ name }) => name,
    emptyMessage: 'No accounts found. Create one with: hostler user create NAME --role ROLE',
  });
}

/** All users can read their own account, only admins can read others. */
async function show({ client, printer, context }: Session, _options: object, requestedName: string | undefined) {
  const isOwn = requestedName === undefined || requestedName === context.user;
  const { body: value } = await (isOwn ? client.getOwnAccount() : client.getAccount({ name: requestedName }));
  await printer.printRecord(value, value.name, [
    ['name', value.name],
    ['role', value.role],
    ['created', utcTime(value.created_at)],
    ['changed', utcTime(value.changed_at)],
  ]);
}

/** Rejects an existing name: PUT would replace the password of that account. */
async function create(session: Session, options: PasswordOptions & { readonly role: Role }, name: string) {
  if (await accountExists(session, name))
    throw rejectedError(
      `the account ${name} already exists. Change it with: hostler user password ${name}, or: hostler user role ${name} ROLE`,
    );
  const password = await readNewPassword(session, options, name);
  const { body: value } = await session.client.putAccount({ name, body: { password, role: options.role } });
  await session.printer.printResult(`account ${name} created (role ${value.role})`, value, name);
}

async function remove({ client, printer, terminal }: Session, { yes }: YesOption, name: string): Promise<void> {
  await client.getAccount({ name });
  await confirm(terminal, `Remove account ${name}?`, yes);
  await client.removeAccount({ name });
  await printer.printResult(`account ${name} removed`, [], name);
}

async function setPassword(session: Session, options: PasswordOptions, requestedName: string | undefined) {
  const { client, printer, context, terminal } = session;
  const name = requestedName ?? context.user;
  const password = await readNewPassword(session, options, name);
  const { body: value } = await client.changePassword({ name, body: { password } });
  if (name === context.user) updateSavedPassword(terminal.environment, context, password);
  await printer.printResult(`password of account ${name} changed`, value, name);
}

async function setRole({ client, printer }: Session, _options: object, name: string, role: Role): Promise<void> {
  // Without a password, the server cannot create an unknown account.
  await client.getAccount({ name });
  const { body: value } = await client.putAccount({ name, body: { role } });
  await printer.printResult(`role of account ${name} changed to ${value.role}`, value, name);
}

const USER = new Argument('<user>', 'Account name');
const OPTIONAL_USER = new Argument('[user]', 'Account name (default: your own account)');
const passwordStdinOption = () => new Option('--password-stdin', 'Read the password from stdin');

export function addUserCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'user', 'Manage accounts');
  addCommand(group, 'create', 'Create an account', USER)
    .addOption(new Option('--role <role>', 'Role of the account (required)').choices(ROLES).makeOptionMandatory())
    .addOption(passwordStdinOption())
    .addHelpText('after', '\nExample:\n  hostler user create ann --role operator\n')
    .action(cli.withSession(create));
  cli.addListAction(addCommand(group, 'list', 'List accounts'), list);
  addCommand(group, 'show', 'Show an account', OPTIONAL_USER).action(cli.withSession(show));
  addCommand(group, 'password', 'Change the password of an account', OPTIONAL_USER)
    .addOption(passwordStdinOption())
    .action(cli.withSession(setPassword));
  addCommand(group, 'role', 'Change the role of an account; it keeps its password', USER)
    .addArgument(new Argument('<role>', 'New role').choices(ROLES))
    .action(cli.withSession(setRole));
  addCommand(group, 'remove', 'Remove an account', USER).addOption(yesOption()).action(cli.withSession(remove));
}
