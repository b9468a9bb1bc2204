// A flood of rejected requests must not cause one write each or fill the log. Identical events of one account and
// address become one entry per minute with a count; the first is written within a second. A killed server loses at most
// one minute of counts. Invariant: the log contains nothing from a body or query, and only login names of accounts.

import type { Actor } from '../../domain/accounts/account.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { DomainEvent } from '../../domain/events/domain-event.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Log } from '../../lib/log.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import { ThrottledJob } from '../../lib/time/throttled-job.ts';
import type { Store } from '../../store/store.ts';

export interface RejectedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The first record in the path, otherwise the path. */
  readonly subject: string;
  readonly cluster: RecordName | null;
  readonly host: Address | null;
  readonly operation: string | null;
  readonly status: number;
  readonly code: ErrorCode;
}

export interface RejectedLogin {
  /** Undefined: does not exist, or was not looked up. */
  readonly account: RecordName | undefined;
  readonly address: string;
  readonly code: ErrorCode;
}

interface RejectionRecorderPorts {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: TimerClock;
  readonly log: Pick<Log, 'warn'>;
}

const WRITE_INTERVAL_MS = 1000;
const WINDOW_MS = 60_000;
/** Different events per window. Suppressed ones need an entry for each account over its limit, and two more. */
const MAX_EVENTS: Readonly<Partial<Record<DomainEvent['type'], number>>> = { 'request.denied': 1000 };
const DEFAULT_MAX_EVENTS = 100;
const MAX_EVENTS_PER_ACCOUNT = 100;

interface PendingEvent {
  /** Of the last occurrence. */
  actor: Actor;
  atMs: number;
  /** Not written yet. */
  count: number;
  /** Until then, occurrences are only counted. */
  dueAtMs: number;
  readonly toEvent: (count: number) => DomainEvent;
  /** The type, and the type with the account. */
  readonly groups: readonly string[];
}

export class RejectionRecorder {
  readonly #ports: RejectionRecorderPorts;
  readonly #pending = new Map<string, PendingEvent>();
  readonly #groupSizes = new Map<string, number>();
  readonly #writeJob: ThrottledJob;
  #writing: Promise<void> = Promise.resolve();

  constructor(ports: RejectionRecorderPorts) {
    this.#ports = ports;
    this.#writeJob = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: WRITE_INTERVAL_MS,
      run: async () => {
        await this.#write();
        const earliestMs = [...this.#pending.values()].reduce((min, { dueAtMs }) => Math.min(min, dueAtMs), Infinity);
        return Math.max(0, earliestMs - ports.clock.monotonicMs());
      },
      onError: err => ports.log.warn({ err }, 'cannot record denied requests in the audit log; retrying'),
      retryMs: WRITE_INTERVAL_MS,
    });
  }

  /** For an authenticated caller. */
  recordRequest(actor: Actor, { subject, cluster, host, operation, ...rejected }: RejectedRequest): void {
    const { method, path, status, code } = rejected;
    const token = actor.token?.name;
    this.#record(actor, count => ({
      type: 'request.denied',
      subject,
      cluster,
      ...(host && { host }),
      ...(operation && { operation }),
      data: { method, path, status, code, ...(token && { token }), count },
    }));
  }

  recordRejectedLogin({ account, address, code }: RejectedLogin): void {
    this.#record({ ...LOCAL_ACTOR, address }, count => ({
      type: 'account.login_failed',
      subject: account ?? '',
      data: { account_exists: account !== undefined, code, count },
    }));
  }

  flush(): Promise<void> {
    return this.#write();
  }

  async stop(): Promise<void> {
    await this.#writeJob.stop();
    await this.#write({ isAll: true }).catch(() => {});
  }

  #record(actor: Actor, toEvent: PendingEvent['toEvent']): void {
    const exceeded = this.#add(actor, toEvent);
    if (exceeded) {
      const { type } = toEvent(1);
      this.#add(exceeded === 'account' ? { ...LOCAL_ACTOR, account: actor.account } : LOCAL_ACTOR, count => ({
        type: 'request.denials_suppressed',
        subject: '',
        data: { type, count },
      }));
    }
    this.#writeJob.scheduleIn(0);
  }

  /** Returns the limit that the event exceeds. */
  #add(actor: Actor, toEvent: PendingEvent['toEvent']): 'total' | 'account' | undefined {
    const event = toEvent(1);
    const key = JSON.stringify([actor.account, actor.address, event]);
    const atMs = this.#ports.clock.now();
    const pending = this.#pending.get(key);
    if (pending) {
      Object.assign(pending, { actor, atMs, count: pending.count + 1 });
      return undefined;
    }
    const groups = [event.type, `${event.type} ${actor.account}`] as const;
    const [total = 0, ofAccount = 0] = groups.map(group => this.#groupSizes.get(group));
    if (ofAccount >= MAX_EVENTS_PER_ACCOUNT) return 'account';
    if (total >= (MAX_EVENTS[event.type] ?? DEFAULT_MAX_EVENTS)) return 'total';
    this.#pending.set(key, { actor, atMs, count: 1, dueAtMs: this.#ports.clock.monotonicMs(), toEvent, groups });
    this.#resize(groups, 1);
    return undefined;
  }

  #resize(groups: readonly string[], by: number): void {
    for (const group of groups) {
      const size = (this.#groupSizes.get(group) ?? 0) + by;
      if (size > 0) this.#groupSizes.set(group, size);
      else this.#groupSizes.delete(group);
    }
  }

  /** Serialized, so no entry is written twice. */
  #write(options: { readonly isAll?: boolean } = {}): Promise<void> {
    const result = this.#writing.then(() => this.#writeDue(options));
    this.#writing = result.catch(() => {});
    return result;
  }

  /** Occurrences during the write are part of the next write. */
  async #writeDue({ isAll = false }: { readonly isAll?: boolean }): Promise<void> {
    const nowMs = this.#ports.clock.monotonicMs();
    const due = [...this.#pending].filter(([, { dueAtMs }]) => isAll || dueAtMs <= nowMs);
    const counts = due.map(([, { count }]) => count);
    const entries = due
      .filter(([, { count }]) => count > 0)
      .map(([, { toEvent, count, actor, atMs }]) => toOutboxEntry(toEvent(count), actor, formatTimestamp(atMs)));
    if (entries.length > 0) await this.#ports.store.transaction(({ outbox }) => outbox.add(entries));
    for (const [index, [key, pending]] of due.entries()) {
      const written = counts[index] ?? 0;
      pending.count -= written;
      if (written > 0) pending.dueAtMs = nowMs + WINDOW_MS;
      else if (pending.count === 0) {
        this.#pending.delete(key);
        this.#resize(pending.groups, -1);
      }
    }
  }
}
