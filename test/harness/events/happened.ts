import type { OutboxEntry } from '../../../src/domain/events/domain-event.ts';
import type { LogEntry } from '../../../src/domain/events/event-log.ts';
import type { Store } from '../../../src/store/store.ts';

/** Something that happened to a network, unless it is said otherwise. */
export const happened = (subject: string, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
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
  ...more,
});

/** An entry of a log that nobody checks. */
export const logged = (id: number, more: Partial<OutboxEntry> = {}): LogEntry => ({
  ...happened(`n-${id}`, more),
  id,
  hash: '',
});

/** Leaves word in the outbox. */
export const leaveWord = (store: Store, ...entries: readonly OutboxEntry[]): Promise<void> =>
  store.transaction(records => records.outbox.add(entries));
