import type { Command } from 'commander';
import { Option } from 'commander';
import type { Static } from 'typebox';
import type { driverRoutes } from '../../contract/routes/drivers.ts';
import { isRecord } from '../../lib/is-record.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem, usageProblem } from '../cli-problem.ts';
import type { CommandLine } from '../command-line.ts';
import type { Column } from '../output/table.ts';
import type { Session } from '../session.ts';
import { optionSchema } from './driver-options.ts';

type Drivers = Static<typeof driverRoutes.listDrivers.answer>;
type Kind = keyof Drivers;

const KINDS: readonly Kind[] = ['os', 'transport', 'network', 'container_manager', 'host_source'];

interface Driver {
  readonly kind: Kind;
  readonly type: string;
  readonly summary: string;
  readonly systems?: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
}

const COLUMNS: readonly Column<Driver>[] = [
  { header: 'KIND', of: ({ kind }) => kind },
  { header: 'TYPE', of: ({ type }) => type },
  { header: 'SUMMARY', of: ({ summary }) => summary, isCuttable: true },
];

interface DriverOption {
  readonly key: string;
  readonly note: string;
  readonly description: string;
}

const OPTION_COLUMNS: readonly Column<DriverOption>[] = [
  { header: 'OPTION', of: ({ key }) => key },
  { header: '', of: ({ note }) => note },
  { header: 'DESCRIPTION', of: ({ description }) => description, isCuttable: true },
];

async function readDrivers({ client }: Session, kind: Kind | undefined): Promise<readonly Driver[]> {
  const { body } = await client.listDrivers();
  return (kind === undefined ? KINDS : [kind]).flatMap(each =>
    body[each].map(driver => ({ kind: each, ...driver })),
  );
}

function optionsOf(schema: unknown): readonly DriverOption[] {
  const { properties, required } = isRecord(schema) ? schema : {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.keys(isRecord(properties) ? properties : {}).map(key => {
    const { description, secret } = optionSchema(schema, key);
    const notes = [...(needed.includes(key) ? ['required'] : []), ...(secret === true ? ['secret'] : [])];
    return { key, note: notes.join(', '), description: typeof description === 'string' ? description : '' };
  });
}

interface KindOption {
  readonly kind?: Kind;
}

async function list(session: Session, { kind }: KindOption): Promise<void> {
  await session.print.list({
    rows: await readDrivers(session, kind),
    columns: COLUMNS,
    nameOf: ({ type }) => type,
    whenEmpty: 'No drivers found.',
  });
}

async function show(session: Session, { kind }: KindOption, type: string): Promise<void> {
  const { print } = session;
  const [value, ...others] = (await readDrivers(session, kind)).filter(each => each.type === type);
  if (value === undefined)
    throw new CliProblem(
      EXIT.refused,
      `the driver ${type} does not exist. List all drivers with: hostler driver list`,
    );
  if (others.length > 0)
    throw usageProblem(
      `there are several drivers "${type}". Select one with ${[value, ...others].map(each => `--kind ${each.kind}`).join(' or ')}`,
    );
  const options = optionsOf(value.options);
  await print.show({
    ...{ value, name: type },
    fields: [
      { label: 'kind', text: value.kind },
      { label: 'type', text: type },
      { label: 'summary', text: value.summary },
      { label: 'systems', text: value.systems?.join(', ') ?? '' },
    ],
    ...(options.length > 0 && { below: print.table(options, OPTION_COLUMNS) }),
  });
}

export function addDriverCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('driver').description('List drivers and their options');
  const kind = () => new Option('--kind <kind>', 'Filter by kind').choices([...KINDS]);
  noun.command('list').description('List drivers').addOption(kind()).action(cli.withSession(list));
  noun
    .command('show')
    .description('Show a driver and its options')
    .argument('<driver>', 'Driver type')
    .addOption(kind())
    .action(cli.withSession(show));
}
