import type { Actor } from '../../domain/accounts/account.ts';
import type { DomainEvent, OutboxEntry } from '../../domain/events/domain-event.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** Something that may happen again and again, of which a number is told. */
export interface Countable {
  readonly actor: Actor;
  /** Whose room it takes. */
  readonly group: string;
  readonly happening: (times: number) => DomainEvent;
}

interface Gathered extends Countable {
  /** Not written yet. */
  times: number;
  /** When it happened last. */
  atMs: number;
  /** Before that it is only counted. */
  dueAtMs: number;
}

export interface Room {
  readonly total: number;
  readonly ofGroup: number;
}

/** The same is written once in so long. */
const APART_MS = 60_000;

/**
 * Happenings that are told some at a time. The same by the same account from the same address is one entry a minute, with a number; of
 * different ones there is room for so many a minute. What must hold: the first is due at once, and what is kept in memory is bounded.
 */
export class GatheredHappenings {
  readonly #clock: Clock;
  readonly #room: Room;
  readonly #gathered = new Map<string, Gathered>();
  readonly #groups = new Map<string, number>();

  constructor(clock: Clock, room: Room) {
    this.#clock = clock;
    this.#room = room;
  }

  /** Whether it was counted; `total` or `group` says what has no room for it. */
  add(one: Countable): 'counted' | 'total' | 'group' {
    const { actor, group, happening } = one;
    const key = JSON.stringify([actor.account, actor.address, happening(1)]);
    const atMs = this.#clock.now();
    const same = this.#gathered.get(key);
    if (same) {
      this.#gathered.set(key, { ...one, times: same.times + 1, atMs, dueAtMs: same.dueAtMs });
      return 'counted';
    }
    const inGroup = this.#groups.get(group) ?? 0;
    if (inGroup >= this.#room.ofGroup) return 'group';
    if (this.#gathered.size >= this.#room.total) return 'total';
    this.#groups.set(group, inGroup + 1);
    this.#gathered.set(key, { ...one, times: 1, atMs, dueAtMs: this.#clock.monotonicMs() });
    return 'counted';
  }

  /** How long until there is something to do; infinite when there is nothing. */
  get dueInMs(): number {
    let due = Number.POSITIVE_INFINITY;
    for (const { dueAtMs } of this.#gathered.values()) due = Math.min(due, dueAtMs);
    return Math.max(0, due - this.#clock.monotonicMs());
  }

  /** What is to be written now. Whoever wrote it says so by `written`; what is counted meanwhile waits for the next time. */
  due({ isAll = false } = {}): { readonly entries: readonly OutboxEntry[]; written(): void } {
    const now = this.#clock.monotonicMs();
    const due = [...this.#gathered].filter(([, { dueAtMs }]) => isAll || dueAtMs <= now);
    return {
      entries: due
        .filter(([, { times }]) => times > 0)
        .map(([, { happening, times, actor, atMs }]) =>
          toOutboxEntry(happening(times), actor, formatTimestamp(atMs)),
        ),
      written: () => {
        for (const [key, { times }] of due) this.#settle(key, times, now);
      },
    };
  }

  #settle(key: string, written: number, nowMs: number): void {
    const gathered = this.#gathered.get(key);
    if (gathered === undefined) return;
    if (written > 0 || gathered.times > 0) {
      gathered.times -= written;
      if (written > 0) gathered.dueAtMs = nowMs + APART_MS;
      return;
    }
    this.#gathered.delete(key);
    const left = (this.#groups.get(gathered.group) ?? 1) - 1;
    if (left > 0) this.#groups.set(gathered.group, left);
    else this.#groups.delete(gathered.group);
  }
}
