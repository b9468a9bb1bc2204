import type { Command } from 'commander';
import { Option } from 'commander';
import type { Static } from 'typebox';
import { utcTime } from '../../client/times.ts';
import type { AuditEntry } from '../../contract/routes/audit.ts';
import type { EventType } from '../../domain/vocabulary.ts';
import { EVENT_TYPES } from '../../domain/vocabulary.ts';
import { usageProblem } from '../cli-problem.ts';
import type { CommandLine } from '../command-line.ts';
import { watchOption } from '../command-line.ts';
import { momentOf } from '../moment.ts';
import type { Column } from '../output/table.ts';
import { readCount } from '../read-number.ts';
import type { Session } from '../session.ts';
import { operationId, withOperationOption } from './operation/operation-id.ts';
import { readAudit } from './read-audit.ts';

type Entry = Static<typeof AuditEntry>;

const STANDARD_LIMIT = 100;

const COLUMNS: readonly Column<Entry>[] = [
  { header: 'ID', of: ({ id }) => String(id), isRight: true, isWide: true },
  { header: 'TIME', of: ({ at }) => utcTime(at) },
  { header: 'ACCOUNT', of: ({ actor }) => actor || '-' },
  { header: 'ADDRESS', of: ({ address }) => address || '-' },
  { header: 'EVENT', of: ({ type }) => type },
  { header: 'SUBJECT', of: ({ subject }) => subject, isCuttable: true },
  {
    header: 'RESULT',
    of: ({ result }) => result,
    style: ({ result }) => (result === 'ok' ? undefined : 'bad'),
  },
  { header: 'REQUEST', of: ({ request_id }) => request_id, isWide: true },
];

interface ListOptions {
  readonly type?: EventType;
  readonly subject?: string;
  readonly actor?: string;
  readonly cluster?: string;
  readonly host?: string;
  readonly operation?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

async function list({ client, print, terminal }: Session, options: ListOptions): Promise<void> {
  const { type, subject, actor, cluster, host, operation, since, until, limit } = options;
  const nowMs = terminal.clock.now();
  const query = {
    ...(type !== undefined && { type }),
    ...(subject !== undefined && { subject }),
    ...(actor !== undefined && { actor }),
    ...(cluster !== undefined && { cluster }),
    ...(host !== undefined && { host }),
    ...(operation !== undefined && { operation: await operationId(client, operation) }),
    ...(since !== undefined && { since: momentOf(since, nowMs) }),
    ...(until !== undefined && { until: momentOf(until, nowMs) }),
  };
  await print.list({
    rows: await readAudit(client, query, limit),
    columns: COLUMNS,
    nameOf: ({ id }) => String(id),
    whenEmpty: 'No audit log entries found.',
  });
}

const isEventType = (text: string): text is EventType => EVENT_TYPES.some(type => type === text);

/** The standard message would list all types. */
function readType(text: string): EventType {
  if (isEventType(text)) return text;
  throw usageProblem(`unknown type '${text}'. List the types with: hostler audit list --help`);
}

export function addAuditCommands(program: Command, cli: CommandLine): void {
  const noun = program.command('audit').description('View the audit log');
  const command = noun
    .command('list')
    .description('List entries of the audit log, newest first')
    .addOption(new Option('--type <type>', 'Filter by event type').choices(EVENT_TYPES).argParser(readType))
    .option('--subject <name>', 'Filter by subject: name or address of a record')
    .option('--actor <user>', 'Filter by account')
    .option('--cluster <cluster>', 'Filter by cluster')
    .option('--host <address>', 'Filter by host');
  withOperationOption(command)
    .option(
      '--since <time>',
      'Only entries since this time: a duration before now (1h, 7d) or a UTC time (2026-11-15T08:30)',
    )
    .option('--until <time>', 'Only entries before this time, in the same formats')
    .option('--limit <count>', 'Maximum number of entries', readCount, STANDARD_LIMIT)
    .addOption(watchOption())
    .addHelpText(
      'after',
      `
Examples:
  hostler audit list --since 1h
  hostler audit list --actor ann --type host.removed --since 2026-11-01 --limit 1000 -o json
`,
    )
    .action(cli.showing(list));
}
