// Records rejected requests and logins in the event log. A flood of them must not cause one write each or fill the log,
// so they are aggregated and written at most once per second.
// Invariant: the log contains nothing from a body or query, and no login name that is not an account.
// If a server is killed, it loses at most one minute of counts.

import type { Actor } from '../../domain/accounts/account.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Log } from '../../lib/log.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import { ThrottledJob } from '../../lib/time/throttled-job.ts';
import type { Store } from '../../store/store.ts';
import type { RepeatableEvent } from './event-aggregator.ts';
import { EventAggregator } from './event-aggregator.ts';

export interface RejectedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The first record that the path names, otherwise the path itself. */
  readonly subject: string;
  readonly cluster: RecordName | null;
  readonly host: Address | null;
  readonly operation: string | null;
  readonly status: number;
  readonly code: ErrorCode;
}

export interface RejectedLogin {
  /** Undefined if the account does not exist or was not looked up. */
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
/** Number of different rejections per minute. */
const REQUEST_LIMITS = { total: 1000, perGroup: 100 };
const LOGIN_LIMITS = { total: 100, perGroup: 100 };
/** One entry for each account over its limit, and two for all others. */
const SUPPRESSED_LIMITS = { total: 100, perGroup: 100 };

export class RejectionRecorder {
  readonly #ports: RejectionRecorderPorts;
  readonly #requests: EventAggregator;
  readonly #logins: EventAggregator;
  readonly #suppressed: EventAggregator;
  readonly #writeJob: ThrottledJob;
  #writing: Promise<void> = Promise.resolve();

  constructor(ports: RejectionRecorderPorts) {
    this.#ports = ports;
    this.#requests = new EventAggregator(ports.clock, REQUEST_LIMITS);
    this.#logins = new EventAggregator(ports.clock, LOGIN_LIMITS);
    this.#suppressed = new EventAggregator(ports.clock, SUPPRESSED_LIMITS);
    this.#writeJob = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: WRITE_INTERVAL_MS,
      run: async () => {
        await this.#write();
        return Math.min(...this.#aggregators.map(({ dueInMs }) => dueInMs));
      },
      onError: err => ports.log.warn({ err }, 'cannot record denied requests in the audit log; retrying'),
      retryMs: WRITE_INTERVAL_MS,
    });
  }

  /** For an authenticated caller. */
  recordRequest(actor: Actor, { subject, cluster, host, operation, ...rejected }: RejectedRequest): void {
    const { method, path, status, code } = rejected;
    const token = actor.token?.name;
    this.#aggregate(this.#requests, {
      actor,
      group: actor.account,
      toEvent: count => ({
        type: 'request.denied',
        subject,
        cluster,
        ...(host && { host }),
        ...(operation && { operation }),
        data: { method, path, status, code, ...(token && { token }), count },
      }),
    });
  }

  recordLogin({ account, address, code }: RejectedLogin): void {
    this.#aggregate(this.#logins, {
      actor: { ...LOCAL_ACTOR, address },
      group: '',
      toEvent: count => ({
        type: 'account.login_failed',
        subject: account ?? '',
        data: { account_exists: account !== undefined, code, count },
      }),
    });
  }

  flush(): Promise<void> {
    return this.#write();
  }

  /** Writes everything that is pending. */
  async stop(): Promise<void> {
    await this.#writeJob.stop();
    await this.#write({ isAll: true }).catch(() => {});
  }

  #aggregate(aggregator: EventAggregator, event: RepeatableEvent): void {
    const outcome = aggregator.add(event);
    if (outcome !== 'counted') {
      const { type } = event.toEvent(1);
      this.#suppressed.add({
        actor: outcome === 'group' ? { ...LOCAL_ACTOR, account: event.actor.account } : LOCAL_ACTOR,
        group: '',
        toEvent: count => ({ type: 'request.denials_suppressed', subject: '', data: { type, count } }),
      });
    }
    this.#writeJob.scheduleIn(0);
  }

  get #aggregators() {
    return [this.#requests, this.#logins, this.#suppressed];
  }

  /** Serialized, so no entry is written twice. */
  #write(options: { readonly isAll?: boolean } = {}): Promise<void> {
    const write = async () => {
      const batches = this.#aggregators.map(aggregator => aggregator.collectDue(options));
      const entries = batches.flatMap(batch => batch.entries);
      if (entries.length > 0) await this.#ports.store.transaction(({ outbox }) => outbox.add(entries));
      for (const batch of batches) batch.markWritten();
    };
    const result = this.#writing.then(write);
    this.#writing = result.catch(() => {});
    return result;
  }
}
