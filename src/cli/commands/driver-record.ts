// Commands for networks and container managers. Both have a name, a driver type and the options of this
// driver.

import type { Command } from 'commander';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { isRecord } from '../../lib/json.ts';
import { createDriverRecordClients } from '../../sdk/driver-record-client.ts';
import type { ActionBuilder } from '../actions.ts';
import { watchOption, yesOption } from '../actions.ts';
import { CliError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import { printCheckResult } from '../output/check-result.ts';
import type { Field } from '../output/printer.ts';
import { EXIT_CODES } from '../program.ts';
import type { Session } from '../session.ts';
import type { OptionFlags } from './driver-options.ts';
import { getOptionSchema, readDriverOptions, withDriverOptions } from './driver-options.ts';

interface RecordKind {
  readonly command: string;
  readonly label: string;
  readonly description: string;
  readonly key: DriverRecordKind;
  readonly example: string;
}

const NETWORK: RecordKind = {
  command: 'network',
  label: 'network',
  description: 'Manage networks',
  key: 'network',
  example: `hostler network create overlay --type flannel_etcd --option endpoints=https://10.0.0.1:2379`,
};

const CONTAINER_MANAGER: RecordKind = {
  command: 'container-manager',
  label: 'container manager',
  description: 'Manage container managers, such as Kubernetes',
  key: 'container_manager',
  example: `hostler container-manager create kube --type kubernetes \\
    --option server_url=https://10.0.0.1:6443 --option ca_path=/etc/hostler/kube.pem --option-file token=./token`,
};

const fetchOptionSchema = async ({ client }: Session, { key }: RecordKind, type: string) =>
  (await client.listDrivers()).body[key].find(driver => driver.type === type)?.options;

const formatValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Lists only names: reading a record reveals its secrets and writes an audit log entry. */
async function list(kind: RecordKind, { client, printer }: Session): Promise<void> {
  const { body: rows } = await createDriverRecordClients(client)[kind.key].list();
  await printer.printList({
    rows,
    columns: [{ header: 'NAME', value: name => name }],
    getName: name => name,
    emptyMessage: `No ${kind.label}s found. Create one with: hostler ${kind.command} create NAME --type TYPE`,
  });
}

async function show(kind: RecordKind, session: Session, name: string): Promise<void> {
  const { client, printer } = session;
  const { body: value } = await createDriverRecordClients(client)[kind.key].get({ name });
  const schema = printer.isHumanReadable ? await fetchOptionSchema(session, kind, value.type) : undefined;
  const options = Object.entries(isRecord(value.options) ? value.options : {}).map(
    ([key, option]): Field =>
      getOptionSchema(schema, key)['secret'] === true
        ? { label: key, text: '(secret; shown to admins with -o json)', style: 'muted' }
        : { label: key, text: formatValue(option) },
  );
  await printer.printRecord({
    ...{ value, name },
    fields: [{ label: 'name', text: value.name }, { label: 'type', text: value.type }, ...options],
  });
}

interface CreateOptions extends OptionFlags {
  readonly type: string;
  readonly replace?: true;
}

async function create(kind: RecordKind, session: Session, flags: CreateOptions, name: string): Promise<void> {
  const { client, printer, terminal } = session;
  const { type, replace } = flags;
  const options = await readDriverOptions(terminal, flags, await fetchOptionSchema(session, kind, type));
  const { status, body: value } = await createDriverRecordClients(client)[kind.key].put({
    name,
    body: { type, options },
    ...(replace && { headers: { 'if-match': '*' } }),
  });
  const result = status === 201 ? 'created' : replace ? 'replaced' : 'already exists';
  await printer.printResult(`${kind.label} ${name} ${result}`, { value, name });
}

async function remove(kind: RecordKind, session: Session, { yes }: { readonly yes?: true }, name: string) {
  const { client, printer, terminal } = session;
  // Checks the list of names, because reading the record would reveal its secrets.
  const { body: names } = await createDriverRecordClients(client)[kind.key].list();
  if (!names.includes(name)) throw new CliError(EXIT_CODES.rejected, `the ${kind.label} ${name} does not exist`);
  await confirm(terminal, `Remove ${kind.label} ${name}?`, yes);
  await createDriverRecordClients(client)[kind.key].remove({ name });
  await printer.printResult(`${kind.label} ${name} removed`, { value: [], name });
}

async function checkConnection(kind: RecordKind, { client, printer }: Session, name: string): Promise<void> {
  const { body: value } = await createDriverRecordClients(client)[kind.key].check({ name, body: {} });
  await printCheckResult({ printer }, { value, label: `${kind.label} ${name}: connection check`, note: value.version });
}

function addRecordCommands(program: Command, cli: ActionBuilder, kind: RecordKind): void {
  const group = program.command(kind.command).description(kind.description);
  const argument = [`<${kind.command}>`, `Name of the ${kind.label}`] as const;
  withDriverOptions(
    group
      .command('create')
      .description(`Create a ${kind.label}`)
      .argument(...argument)
      .requiredOption('--type <type>', 'Driver type (see `hostler driver list`)'),
  )
    .option('--replace', `Replace the settings if the ${kind.label} exists`)
    .addHelpText('after', `\nExample:\n  ${kind.example}\n`)
    .action(cli.withSession((session, flags: CreateOptions, name: string) => create(kind, session, flags, name)));
  group
    .command('list')
    .description(`List ${kind.label}s, names only`)
    .addOption(watchOption())
    .action(cli.withWatch(session => list(kind, session)));
  group
    .command('show')
    .description(`Show a ${kind.label}`)
    .argument(...argument)
    .action(cli.withSession((session, _options: object, name: string) => show(kind, session, name)));
  group
    .command('check')
    .description(`Check the connection and the settings of a ${kind.label}`)
    .argument(...argument)
    .action(cli.withSession((session, _options: object, name: string) => checkConnection(kind, session, name)));
  group
    .command('remove')
    .description(`Remove a ${kind.label} that no cluster uses`)
    .argument(...argument)
    .addOption(yesOption())
    .action(
      cli.withSession((session, options: { readonly yes?: true }, name: string) =>
        remove(kind, session, options, name),
      ),
    );
}

export function addDriverRecordCommands(program: Command, cli: ActionBuilder): void {
  addRecordCommands(program, cli, NETWORK);
  addRecordCommands(program, cli, CONTAINER_MANAGER);
}
