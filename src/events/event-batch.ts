import { hiddenEventTypes } from '../domain/accounts/account.ts';
import type { LogEntry } from '../domain/events/event-log.ts';
import { endedSessionIds, invalidatesLogins, matchesFilter } from '../domain/events/event-log.ts';
import type { EventSubscription } from '../domain/events/event-subscription.ts';
import type { Role } from '../domain/vocabulary.ts';

/** Whether these are the entries right after a position, none missing. */
export const isContiguous = (position: number, entries: readonly LogEntry[]): boolean =>
  entries.every(({ id }, index) => id === position + 1 + index);

/** About what else there is to an entry on its way to a reader. */
const ENTRY_OVERHEAD_BYTES = 250;
export const estimateBytes = ({ dataJson }: LogEntry) => ENTRY_OVERHEAD_BYTES + dataJson.length;

/** Entries in parts, none of them larger than this where an entry is not so by itself. */
export function splitBySize(
  entries: readonly LogEntry[],
  maxBytes: number,
): readonly (readonly LogEntry[])[] {
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

/** Entries that many readers are given. What each role is shown of them is picked once, so that it is also written once. */
export class EventBatch {
  readonly #entries: readonly LogEntry[];
  readonly #visibleByRole = new Map<Role, readonly LogEntry[]>();
  /** The last change of each account. */
  readonly #lastAccountChanges: ReadonlyMap<string, number>;
  /** The ids of sessions that were ended. */
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

  /** Whether something has happened to the account since it was let in, or its session was ended. */
  revokes({ account, authorizedAtPosition, session }: EventSubscription): boolean {
    if (session && this.#endedSessions.has(session.id)) return true;
    return (this.#lastAccountChanges.get(account) ?? 0) > authorizedAtPosition;
  }

  /** What somebody wants, and may see, after a position. */
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
