import type { OutboxEntry } from '../../../src/domain/events/domain-event.ts';
import type { Store } from '../../../src/store/store.ts';

export interface ToldEntry extends OutboxEntry {
  readonly data: Readonly<Record<string, unknown>>;
}

type Wanted = Partial<Pick<OutboxEntry, 'type' | 'subject' | 'host'>>;

const isWanted = (entry: OutboxEntry, { type, subject, host }: Wanted) =>
  (type === undefined || entry.type === type) &&
  (subject === undefined || entry.subject === subject) &&
  (host === undefined || entry.host === host);

/** What was told, oldest first, on a store whose outbox nobody empties. */
export async function toldIn(store: Store, wanted: Wanted = {}): Promise<readonly ToldEntry[]> {
  const entries = await store.reads.outbox.listPending(1_000_000);
  return entries
    .filter(entry => isWanted(entry, wanted))
    .map(entry => ({ ...entry, data: JSON.parse(entry.dataJson) }));
}
