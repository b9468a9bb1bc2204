// Networks and container managers: a name, the type of a driver, and the options that this driver knows.

import type { Command } from 'commander';
import { driverRecordCalls } from '../../client/driver-record-calls.ts';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { isRecord } from '../../lib/is-record.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem } from '../cli-problem.ts';
import type { CommandLine } from '../command-line.ts';
import { watchOption, yesOption } from '../command-line.ts';
import { confirm } from '../confirm.ts';
import type { Field } from '../output/printer.ts';
import type { Session } from '../session.ts';
import { showChecked } from './checked.ts';
import type { OptionFlags } from './driver-options.ts';
import { optionSchema, readDriverOptions, withDriverOptions } from './driver-options.ts';

interface Kind {
  readonly noun: string;
  readonly words: string;
  readonly about: string;
  readonly key: DriverRecordKind;
  readonly example: string;
}

const NETWORK: Kind = {
  noun: 'network',
  words: 'network',
  about: 'Manage networks',
  key: 'network',
  example: `hostler network create overlay --type flannel_etcd --option endpoints=https://10.0.0.1:2379`,
};

const CONTAINER_MANAGER: Kind = {
  noun: 'container-manager',
  words: 'container manager',
  about: 'Manage container managers, such as Kubernetes',
  key: 'container_manager',
  example: `hostler container-manager create kube --type kubernetes \\
    --option server_url=https://10.0.0.1:6443 --option ca_path=/etc/hostler/kube.pem --option-file token=./token`,
};

const schemaOf = async ({ client }: Session, { key }: Kind, type: string) =>
  (await client.listDrivers()).body[key].find(driver => driver.type === type)?.options;

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Names only: to read a record is to read its secrets, and that goes on record. */
async function list(kind: Kind, { client, print }: Session): Promise<void> {
  const { body: rows } = await driverRecordCalls(client)[kind.key].list();
  await print.list({
    rows,
    columns: [{ header: 'NAME', of: name => name }],
    nameOf: name => name,
    whenEmpty: `No ${kind.words}s found. Create one with: hostler ${kind.noun} create NAME --type TYPE`,
  });
}

async function show(kind: Kind, session: Session, name: string): Promise<void> {
  const { client, print } = session;
  const { body: value } = await driverRecordCalls(client)[kind.key].get({ name });
  const schema = print.isForPeople ? await schemaOf(session, kind, value.type) : undefined;
  const options = Object.entries(isRecord(value.options) ? value.options : {}).map(
    ([key, each]): Field =>
      optionSchema(schema, key)['secret'] === true
        ? { label: key, text: '(secret; shown to admins with -o json)', style: 'quiet' }
        : { label: key, text: textOf(each) },
  );
  await print.show({
    ...{ value, name },
    fields: [{ label: 'name', text: value.name }, { label: 'type', text: value.type }, ...options],
  });
}

interface CreateOptions extends OptionFlags {
  readonly type: string;
  readonly replace?: true;
}

async function create(kind: Kind, session: Session, flags: CreateOptions, name: string): Promise<void> {
  const { client, print, terminal } = session;
  const { type, replace } = flags;
  const options = await readDriverOptions(terminal, flags, await schemaOf(session, kind, type));
  const { status, body: value } = await driverRecordCalls(client)[kind.key].put({
    name,
    body: { type, options },
    ...(replace && { headers: { 'if-match': '*' } }),
  });
  const what = status === 201 ? 'created' : replace ? 'replaced' : 'already exists';
  await print.done(`${kind.words} ${name} ${what}`, { value, name });
}

async function remove(kind: Kind, session: Session, { yes }: { readonly yes?: true }, name: string) {
  const { client, print, terminal } = session;
  // Not by reading it: that would be to read its secrets.
  const { body: names } = await driverRecordCalls(client)[kind.key].list();
  if (!names.includes(name)) throw new CliProblem(EXIT.refused, `the ${kind.words} ${name} does not exist`);
  await confirm(terminal, `Remove ${kind.words} ${name}?`, yes);
  await driverRecordCalls(client)[kind.key].remove({ name });
  await print.done(`${kind.words} ${name} removed`, { value: [], name });
}

async function check(kind: Kind, { client, print }: Session, name: string): Promise<void> {
  const { body: value } = await driverRecordCalls(client)[kind.key].check({ name, body: {} });
  await showChecked(
    { print },
    { value, what: `${kind.words} ${name}: connection check`, more: value.version },
  );
}

function addKind(program: Command, cli: CommandLine, kind: Kind): void {
  const noun = program.command(kind.noun).description(kind.about);
  const argument = [`<${kind.noun}>`, `Name of the ${kind.words}`] as const;
  withDriverOptions(
    noun
      .command('create')
      .description(`Create a ${kind.words}`)
      .argument(...argument)
      .requiredOption('--type <type>', 'Driver type (see `hostler driver list`)'),
  )
    .option('--replace', `Replace the settings if the ${kind.words} exists`)
    .addHelpText('after', `\nExample:\n  ${kind.example}\n`)
    .action(
      cli.withSession((session, flags: CreateOptions, name: string) => create(kind, session, flags, name)),
    );
  noun
    .command('list')
    .description(`List ${kind.words}s, names only`)
    .addOption(watchOption())
    .action(cli.showing(session => list(kind, session)));
  noun
    .command('show')
    .description(`Show a ${kind.words}`)
    .argument(...argument)
    .action(cli.withSession((session, _options: object, name: string) => show(kind, session, name)));
  noun
    .command('check')
    .description(`Check the connection and the settings of a ${kind.words}`)
    .argument(...argument)
    .action(cli.withSession((session, _options: object, name: string) => check(kind, session, name)));
  noun
    .command('remove')
    .description(`Remove a ${kind.words} that no cluster uses`)
    .argument(...argument)
    .addOption(yesOption())
    .action(
      cli.withSession((session, options: { readonly yes?: true }, name: string) =>
        remove(kind, session, options, name),
      ),
    );
}

export function addDriverRecordCommands(program: Command, cli: CommandLine): void {
  addKind(program, cli, NETWORK);
  addKind(program, cli, CONTAINER_MANAGER);
}
