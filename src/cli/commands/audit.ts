import type { Command } from 'commander';
import { Option } from 'commander';
import type { Static } from 'typebox';
import type { QueryOf } from '../../contract/route-definition.ts';
import type { AuditEntry, auditRoutes } from '../../contract/routes/events.ts';
import type { EventType } from '../../domain/vocabulary.ts';
import { EVENT_ORIGINS, EVENT_TYPES } from '../../domain/vocabulary.ts';
import type { Client, Sendable } from '../../sdk/client.ts';
import { utcTime } from '../../sdk/format.ts';
import { formatHost } from '../../sdk/host-progress.ts';
import type { Hostnames } from '../../sdk/hostnames.ts';
import { fetchHostnames } from '../../sdk/hostnames.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { usageError } from '../errors.ts';
import { parseHost } from '../input/host-arguments.ts';
import { parsePositiveInteger, parseTime } from '../input/option-parsers.ts';
import type { Column } from '../output/table.ts';
import { resolveFilterHost } from '../resolve-hosts.ts';
import type { Session } from '../session.ts';
import { resolveOperationId, withOperationOption } from './operation/find-operation.ts';

/** The maximum page size of the API. */
const PAGE_SIZE = 1000;

type AuditQuery = Sendable<QueryOf<typeof auditRoutes.listAudit>>;
type Entry = Static<typeof AuditEntry>;

export async function fetchAuditEntries(
  client: Pick<Client, 'listAudit'>,
  query: AuditQuery,
  limit: number,
  pageSize = PAGE_SIZE,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const size = Math.min(pageSize, limit - entries.length);
    const { body } = await client.listAudit({ query: { ...query, limit: size, after: entries.at(-1)?.id } });
    entries.push(...body);
    if (body.length < size || entries.length >= limit) return entries;
  }
}

const DEFAULT_LIMIT = 100;

const isAboutHost = ({ host, subject }: Entry): boolean => host === subject;

const formatSubject = (entry: Entry, hostnames: Hostnames): string =>
  isAboutHost(entry)
    ? formatHost({ address: entry.subject, hostname: hostnames.get(entry.subject) ?? '' })
    : entry.subject;

const auditColumns = (hostnames: Hostnames): readonly Column<Entry>[] => [
  { header: 'ID', value: ({ id }) => String(id), isRightAligned: true, isWideOnly: true },
  { header: 'TIME', value: ({ at }) => utcTime(at) },
  { header: 'ACCOUNT', value: ({ actor }) => actor || '-' },
  { header: 'ADDRESS', value: ({ address }) => address || '-' },
  { header: 'EVENT', value: ({ type }) => type },
  { header: 'SUBJECT', value: entry => formatSubject(entry, hostnames), isTruncatable: true },
  { header: 'RESULT', value: ({ result }) => result, style: ({ result }) => (result === 'ok' ? undefined : 'error') },
  { header: 'REQUEST', value: ({ request_id }) => request_id, isWideOnly: true },
];

type ListOptions = Omit<AuditQuery, 'after' | 'limit'> & { readonly limit: number };

async function list({ client, printer, terminal }: Session, options: ListOptions): Promise<void> {
  const { type, origin, subject, actor, cluster, host, operation, since, until, limit } = options;
  const nowMs = terminal.clock.now();
  const query = {
    type,
    origin,
    subject,
    actor,
    cluster,
    host: await resolveFilterHost(client, host),
    operation: await resolveOperationId(client, operation),
    since: since === undefined ? undefined : parseTime(since, nowMs),
    until: until === undefined ? undefined : parseTime(until, nowMs),
  };
  const rows = await fetchAuditEntries(client, query, limit);
  const needsHostnames = printer.isHumanReadable && rows.some(isAboutHost);
  await printer.printList({
    rows,
    columns: auditColumns(needsHostnames ? await fetchHostnames(client) : new Map()),
    getName: ({ id }) => String(id),
    emptyMessage: 'No audit log entries found.',
  });
}

const isEventType = (text: string): text is EventType => EVENT_TYPES.some(type => type === text);

/** The default message would list all types. */
function parseEventType(text: string): EventType {
  if (isEventType(text)) return text;
  throw usageError(`unknown type '${text}'. List the types with: hostler audit list --help`);
}

const HELP = `
Examples:
  hostler audit list --since 1h
  hostler audit list --actor ann --type host.removed --since 2026-11-01 --limit 1000 -o json
`;

export function addAuditCommands(program: Command, cli: ActionBuilder): void {
  const group = addCommand(program, 'audit', 'View the audit log');
  const command = addCommand(group, 'list', 'List entries of the audit log, newest first')
    .addOption(new Option('--type <type>', 'Filter by event type').choices(EVENT_TYPES).argParser(parseEventType))
    .addOption(
      new Option('--origin <origin>', 'Filter by origin: a request, or the system itself').choices(EVENT_ORIGINS),
    )
    .option('--subject <name>', 'Filter by subject: name or address of a record')
    .option('--actor <user>', 'Filter by account')
    .option('--cluster <cluster>', 'Filter by cluster')
    .option('--host <host>', 'Filter by host, by address or hostname', parseHost);
  withOperationOption(command)
    .option(
      '--since <time>',
      'Only entries since this time: a duration before now (1h, 7d) or a UTC time (2026-11-15T08:30)',
    )
    .option('--until <time>', 'Only entries before this time, in the same formats')
    .option('--limit <count>', 'Maximum number of entries', parsePositiveInteger, DEFAULT_LIMIT)
    .addHelpText('after', HELP);
  cli.addListAction(command, list);
}
