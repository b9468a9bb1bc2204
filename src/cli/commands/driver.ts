import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { Static } from 'typebox';
import type { driverRoutes } from '../../contract/routes/driver-records.ts';
import { isRecord } from '../../lib/json.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { rejectedError, usageError } from '../errors.ts';
import type { Field } from '../output/printer.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';
import { getOptionSchema } from './driver-options.ts';

type DriverKind = keyof Static<typeof driverRoutes.listDrivers.response>;

const KINDS: readonly DriverKind[] = ['os', 'transport', 'network', 'container_manager', 'host_source'];

interface Driver {
  readonly kind: DriverKind;
  readonly type: string;
  readonly summary: string;
  readonly systems?: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
}

const COLUMNS: readonly Column<Driver>[] = [
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'SUMMARY', value: ({ summary }) => summary, isTruncatable: true },
];

const OPTION_COLUMNS: readonly Column<ReturnType<typeof toDriverOptions>[number]>[] = [
  { header: 'OPTION', value: ({ key }) => key },
  { header: '', value: ({ note }) => note },
  { header: 'DESCRIPTION', value: ({ description }) => description, isTruncatable: true },
];

async function fetchDrivers({ client }: Session, kind: DriverKind | undefined): Promise<readonly Driver[]> {
  const { body } = await client.listDrivers();
  return (kind === undefined ? KINDS : [kind]).flatMap(driverKind =>
    body[driverKind].map(driver => ({ kind: driverKind, ...driver })),
  );
}

function toDriverOptions(schema: unknown) {
  const { properties, required } = isRecord(schema) ? schema : {};
  const requiredKeys: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(isRecord(properties) ? properties : {}).map(key => {
    const { description, secret } = getOptionSchema(schema, key);
    const notes = [...(requiredKeys.includes(key) ? ['required'] : []), ...(secret === true ? ['secret'] : [])];
    return { key, note: notes.join(', '), description: typeof description === 'string' ? description : '' };
  });
}

async function list(session: Session, { kind }: Partial<Driver>): Promise<void> {
  await session.printer.printList({
    rows: await fetchDrivers(session, kind),
    columns: COLUMNS,
    getName: ({ type }) => type,
    emptyMessage: 'No drivers found.',
  });
}

async function show(session: Session, { kind }: Partial<Driver>, type: string): Promise<void> {
  const { printer } = session;
  const [value, ...others] = (await fetchDrivers(session, kind)).filter(driver => driver.type === type);
  if (value === undefined)
    throw rejectedError(`the driver ${type} does not exist. List all drivers with: hostler driver list`);
  if (others.length > 0)
    throw usageError(
      `there are several drivers "${type}". Select one with ${[value, ...others].map(driver => `--kind ${driver.kind}`).join(' or ')}`,
    );
  const options = toDriverOptions(value.options);
  const fields: readonly Field[] = [
    ['kind', value.kind],
    ['type', type],
    ['summary', value.summary],
    ['systems', value.systems?.join(', ') ?? ''],
  ];
  const table = options.length > 0 ? printer.formatTable(options, OPTION_COLUMNS) : '';
  await printer.printRecord(value, type, fields, table);
}

export function addDriverCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'driver', 'List drivers and their options');
  const kind = () => new Option('--kind <kind>', 'Filter by kind').choices(KINDS);
  addCommand(group, 'list', 'List drivers').addOption(kind()).action(cli.withSession(list));
  addCommand(group, 'show', 'Show a driver and its options', new Argument('<driver>', 'Driver type'))
    .addOption(kind())
    .action(cli.withSession(show));
}
