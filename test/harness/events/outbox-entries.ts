import type { OutboxEntry } from '../../../src/domain/events/domain-event.ts';
import type { LogEntry } from '../../../src/domain/events/event-log.ts';
import type { Store } from '../../../src/store/store.ts';

export const outboxEntry = (subject: string, overrides: Partial<OutboxEntry> = {}): OutboxEntry => ({
  type: 'network.created',
  subject,
  actor: 'admin',
  address: '127.0.0.1',
  requestId: 'r',
  at: '2026-11-15T08:00:00.000000',
  cluster: null,
  host: null,
  operation: null,
  dataJson: '{"type":"none"}',
  ...overrides,
});

/** A log entry without a valid hash. */
export const logEntry = (id: number, overrides: Partial<OutboxEntry> = {}): LogEntry => ({
  ...outboxEntry(`n-${id}`, overrides),
  id,
  hash: '',
});

export const addOutboxEntries = (store: Store, ...entries: readonly OutboxEntry[]): Promise<void> =>
  store.transaction(records => records.outbox.add(entries));

export interface ParsedOutboxEntry extends OutboxEntry {
  readonly data: Readonly<Record<string, unknown>>;
}

type EntryFilter = Partial<Pick<OutboxEntry, 'type' | 'subject' | 'host'>>;

const matchesFilter = (entry: OutboxEntry, { type, subject, host }: EntryFilter) =>
  (type === undefined || entry.type === type) &&
  (subject === undefined || entry.subject === subject) &&
  (host === undefined || entry.host === host);

/** Oldest first. Requires a store whose outbox is not emptied. */
export async function listOutboxEntries(store: Store, filter: EntryFilter = {}): Promise<readonly ParsedOutboxEntry[]> {
  const entries = await store.reads.outbox.listPending(1_000_000);
  return entries
    .filter(entry => matchesFilter(entry, filter))
    .map(entry => ({ ...entry, data: JSON.parse(entry.dataJson) }));
}
