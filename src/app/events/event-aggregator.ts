import type { Actor } from '../../domain/accounts/account.ts';
import type { DomainEvent, OutboxEntry } from '../../domain/events/domain-event.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../lib/time/clock.ts';

/** An event that is counted if it repeats. */
export interface RepeatableEvent {
  readonly actor: Actor;
  /** Events of a group share the limit `perGroup`. */
  readonly group: string;
  readonly toEvent: (count: number) => DomainEvent;
}

interface PendingEvent extends RepeatableEvent {
  /** Occurrences that are not written yet. */
  count: number;
  /** Time of the last occurrence. */
  atMs: number;
  /** Until then, occurrences are only counted. */
  dueAtMs: number;
}

export interface AggregationLimits {
  readonly total: number;
  readonly perGroup: number;
}

/** Identical events are written once per window. */
const WINDOW_MS = 60_000;

/**
 * Aggregates repeated events. Identical events of one account and address become one entry per minute with a count. The
 * number of different events per minute is limited. The first occurrence is due at once, and memory use is bounded.
 */
export class EventAggregator {
  readonly #clock: Clock;
  readonly #limits: AggregationLimits;
  readonly #pending = new Map<string, PendingEvent>();
  readonly #groups = new Map<string, number>();

  constructor(clock: Clock, limits: AggregationLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** `total` or `group` is the limit that was exceeded. */
  add(event: RepeatableEvent): 'counted' | 'total' | 'group' {
    const { actor, group, toEvent } = event;
    const key = JSON.stringify([actor.account, actor.address, toEvent(1)]);
    const atMs = this.#clock.now();
    const existing = this.#pending.get(key);
    if (existing) {
      this.#pending.set(key, { ...event, count: existing.count + 1, atMs, dueAtMs: existing.dueAtMs });
      return 'counted';
    }
    const groupSize = this.#groups.get(group) ?? 0;
    if (groupSize >= this.#limits.perGroup) return 'group';
    if (this.#pending.size >= this.#limits.total) return 'total';
    this.#groups.set(group, groupSize + 1);
    this.#pending.set(key, { ...event, count: 1, atMs, dueAtMs: this.#clock.monotonicMs() });
    return 'counted';
  }

  /** Infinite if nothing is pending. */
  get dueInMs(): number {
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const { dueAtMs } of this.#pending.values()) earliestMs = Math.min(earliestMs, dueAtMs);
    return Math.max(0, earliestMs - this.#clock.monotonicMs());
  }

  /**
   * The caller must call `markWritten` after writing the entries. Occurrences in between are part of the next write.
   */
  collectDue({ isAll = false } = {}): { readonly entries: readonly OutboxEntry[]; markWritten(): void } {
    const now = this.#clock.monotonicMs();
    const dueEvents = [...this.#pending].filter(([, { dueAtMs }]) => isAll || dueAtMs <= now);
    return {
      entries: dueEvents
        .filter(([, { count }]) => count > 0)
        .map(([, { toEvent, count, actor, atMs }]) => toOutboxEntry(toEvent(count), actor, formatTimestamp(atMs))),
      markWritten: () => {
        for (const [key, { count }] of dueEvents) this.#afterWrite(key, count, now);
      },
    };
  }

  #afterWrite(key: string, written: number, nowMs: number): void {
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    if (written > 0 || pending.count > 0) {
      pending.count -= written;
      if (written > 0) pending.dueAtMs = nowMs + WINDOW_MS;
      return;
    }
    this.#pending.delete(key);
    const remaining = (this.#groups.get(pending.group) ?? 1) - 1;
    if (remaining > 0) this.#groups.set(pending.group, remaining);
    else this.#groups.delete(pending.group);
  }
}
