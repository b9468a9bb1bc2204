// Commands for networks and container managers. Both have a name, a driver type and the options of this driver.

import type { Command } from 'commander';
import { Argument } from 'commander';
import type { DriverRecordKind } from '../../domain/vocabulary.ts';
import { isRecord } from '../../lib/json.ts';
import type { Client } from '../../sdk/client.ts';
import { createDriverRecordClients } from '../../sdk/driver-record-client.ts';
import type { ActionBuilder, YesOption } from '../actions.ts';
import { addCommand, yesOption } from '../actions.ts';
import { notFoundError } from '../errors.ts';
import { confirm } from '../input/prompts.ts';
import { formatValue } from '../output/format.ts';
import type { Field } from '../output/printer.ts';
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

const fetchOptionSchema = async (client: Client, { key }: RecordKind, type: string) =>
  (await client.listDrivers()).body[key].find(driver => driver.type === type)?.options;

const list =
  (kind: RecordKind) =>
  async ({ client, printer }: Session): Promise<void> => {
    const { body: rows } = await createDriverRecordClients(client)[kind.key].list({ query: { extended: true } });
    await printer.printList({
      rows,
      columns: [
        { header: 'NAME', value: ({ name }) => name },
        { header: 'TYPE', value: ({ type }) => type },
      ],
      getName: ({ name }) => name,
      emptyMessage: `No ${kind.label}s found. Create one with: hostler ${kind.command} create NAME --type TYPE`,
    });
  };

const show =
  (kind: RecordKind) =>
  async ({ client, printer }: Session, _options: object, name: string): Promise<void> => {
    const { body: value } = await createDriverRecordClients(client)[kind.key].get({ name });
    const schema = printer.isHumanReadable ? await fetchOptionSchema(client, kind, value.type) : undefined;
    const options = Object.entries(isRecord(value.options) ? value.options : {}).map(
      ([key, option]): Field =>
        getOptionSchema(schema, key)['secret'] === true
          ? [key, '(secret; shown to admins with -o json)', 'muted']
          : [key, formatValue(option)],
    );
    await printer.printRecord(value, name, [['name', value.name], ['type', value.type], ...options]);
  };

interface CreateOptions extends OptionFlags {
  readonly type: string;
  readonly replace?: true;
}

const create =
  (kind: RecordKind) =>
  async ({ client, printer, terminal }: Session, flags: CreateOptions, name: string): Promise<void> => {
    const { type, replace } = flags;
    const options = await readDriverOptions(terminal, flags, await fetchOptionSchema(client, kind, type));
    const { status, body: value } = await createDriverRecordClients(client)[kind.key].put({
      name,
      body: { type, options },
      ...(replace && { headers: { 'if-match': '*' } }),
    });
    const result = status === 201 ? 'created' : replace ? 'replaced' : 'already exists';
    await printer.printResult(`${kind.label} ${name} ${result}`, value, name);
  };

const remove =
  (kind: RecordKind) =>
  async ({ client, printer, terminal }: Session, { yes }: YesOption, name: string): Promise<void> => {
    const records = createDriverRecordClients(client)[kind.key];
    // Checks the list of names, because reading the record would reveal its secrets.
    const { body: names } = await records.list();
    if (!names.includes(name)) throw notFoundError(`the ${kind.label} ${name} does not exist`);
    await confirm(terminal, `Remove ${kind.label} ${name}?`, yes);
    await records.remove({ name });
    await printer.printResult(`${kind.label} ${name} removed`, [], name);
  };

const checkConnection =
  (kind: RecordKind) =>
  async ({ client, printer }: Session, _options: object, name: string): Promise<void> => {
    const { body: value } = await createDriverRecordClients(client)[kind.key].check({ name, body: {} });
    await printer.printCheckResult(value, `${kind.label} ${name}: connection check`, value.version);
  };

function addRecordCommands(program: Command, cli: ActionBuilder, kind: RecordKind): void {
  const group = addCommand(program, kind.command, kind.description);
  const name = new Argument(`<${kind.command}>`, `Name of the ${kind.label}`);
  withDriverOptions(
    addCommand(group, 'create', `Create a ${kind.label}`, name).requiredOption(
      '--type <type>',
      'Driver type (see `hostler driver list`)',
    ),
  )
    .option('--replace', `Replace the settings if the ${kind.label} exists`)
    .addHelpText('after', `\nExample:\n  ${kind.example}\n`)
    .action(cli.withSession(create(kind)));
  cli.addListAction(addCommand(group, 'list', `List ${kind.label}s`), list(kind));
  addCommand(group, 'show', `Show a ${kind.label}`, name).action(cli.withSession(show(kind)));
  addCommand(group, 'check', `Check the connection and the settings of a ${kind.label}`, name).action(
    cli.withSession(checkConnection(kind)),
  );
  addCommand(group, 'remove', `Remove a ${kind.label} that no cluster uses`, name)
    .addOption(yesOption())
    .action(cli.withSession(remove(kind)));
}

export function addDriverRecordCommands(program: Command, cli: ActionBuilder): void {
  addRecordCommands(program, cli, NETWORK);
  addRecordCommands(program, cli, CONTAINER_MANAGER);
}
