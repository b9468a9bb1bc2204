import { hiddenEventTypes } from '../domain/accounts/account.ts';
import type { LogEntry } from '../domain/events/event-log.ts';
import { endedSessionIds, invalidatesLogins, matchesFilter } from '../domain/events/event-log.ts';
import type { EventSubscription } from '../domain/events/event-subscription.ts';
import type { Role } from '../domain/vocabulary.ts';

export const isContiguous = (position: number, entries: readonly LogEntry[]): boolean =>
  entries.every(({ id }, index) => id === position + 1 + index);

const ENTRY_OVERHEAD_BYTES = 250;
export const estimateBytes = ({ dataJson }: LogEntry) => ENTRY_OVERHEAD_BYTES + dataJson.length;

/** Splits entries into chunks of at most `maxBytes`. A larger entry is a chunk of its own. */
export function splitBySize(entries: readonly LogEntry[], maxBytes: number): readonly (readonly LogEntry[])[] {
  const chunks: LogEntry[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    if (bytes + estimateBytes(entry) > maxBytes) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)?.push(entry);
    bytes += estimateBytes(entry);
  }
  return chunks;
}

/** Entries for many subscribers. The visible entries are selected once per role. */
export class EventBatch {
  readonly #entries: readonly LogEntry[];
  readonly #visibleByRole = new Map<Role, readonly LogEntry[]>();
  readonly #lastAccountChanges: ReadonlyMap<string, number>;
  readonly #endedSessions: ReadonlySet<string>;

  constructor(entries: readonly LogEntry[]) {
    this.#entries = entries;
    this.#lastAccountChanges = new Map(
      entries.filter(({ type }) => invalidatesLogins(type)).map(({ subject, id }) => [subject, id]),
    );
    this.#endedSessions = new Set(entries.flatMap(endedSessionIds));
  }

  get lastId(): number {
    return this.#entries.at(-1)?.id ?? 0;
  }

  /** Returns whether the account changed after it was authorized, or its session ended. */
  revokes({ account, authorizedAtPosition, session }: EventSubscription): boolean {
    if (session && this.#endedSessions.has(session.id)) return true;
    return (this.#lastAccountChanges.get(account) ?? 0) > authorizedAtPosition;
  }

  selectFor({ role, filter }: EventSubscription, after: number): readonly LogEntry[] {
    const visible = this.#visibleTo(role);
    const isFiltered = Object.values(filter).some(value => value !== undefined);
    if (!isFiltered && after < (this.#entries[0]?.id ?? 0)) return visible;
    return visible.filter(entry => entry.id > after && matchesFilter(entry, filter));
  }

  #visibleTo(role: Role): readonly LogEntry[] {
    const cached = this.#visibleByRole.get(role);
    if (cached) return cached;
    const hidden = new Set(hiddenEventTypes(role));
    const visible = hidden.size === 0 ? this.#entries : this.#entries.filter(({ type }) => !hidden.has(type));
    this.#visibleByRole.set(role, visible);
    return visible;
  }
}
