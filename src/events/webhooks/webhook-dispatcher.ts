// Delivers events to webhooks from every server.
//
// - One server at a time claims a webhook, and delivers its events in order.
// - A slow or unreachable receiver does not delay other webhooks.
// - A server that was suspended and resumes cannot move a position, because its fence is stale.
// - An event can be delivered twice if a server dies between delivery and save.

import { StoreUnavailableError } from '../../domain/errors.ts';
import type { LogEntry, LogState } from '../../domain/events/event-log.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { EventType } from '../../domain/vocabulary.ts';
import { eventResource } from '../../domain/vocabulary.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { expandEventTypes } from '../../domain/webhooks/webhook.ts';
import { MAX_WEBHOOK_BACKOFF_MS } from '../../domain/webhooks/webhook-progress.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { waitUpTo } from '../../lib/time/clock.ts';
import { ThrottledJob } from '../../lib/time/throttled-job.ts';
import type { WebhookPorts } from '../ports.ts';
import { WEBHOOK_CLAIM_MS } from '../ports.ts';
import { WebhookWorker } from './webhook-worker.ts';

/** Events that arrive within this time share one poll. */
const MIN_INTERVAL_MS = 20;
/** Finds events whose signal was lost and webhooks of a server that died. */
const POLL_INTERVAL_MS = 3000;
/** A receiver that does not respond frees its slot after ten seconds. */
const MAX_CONCURRENT_WEBHOOKS = 64;
const STOP_TIMEOUT_MS = 2000;

export class WebhookDispatcher {
  readonly #ports: WebhookPorts;
  readonly #job: ThrottledJob;
  readonly #workers = new Map<RecordName, WebhookWorker>();
  readonly #slots = new Semaphore(MAX_CONCURRENT_WEBHOOKS, Number.POSITIVE_INFINITY);
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #unsubscribe: () => void;
  /** The event types that at least one webhook wants. Other events need no poll. */
  #wantedTypes: ReadonlySet<EventType> = new Set();
  #isFirstPoll = true;

  private constructor(ports: WebhookPorts) {
    this.#ports = ports;
    this.#job = new ThrottledJob({
      clock: ports.clock,
      minIntervalMs: MIN_INTERVAL_MS,
      run: () => this.#poll(),
      onError: error => {
        if (!(error instanceof StoreUnavailableError))
          ports.log.error({ err: error }, 'webhook dispatch failed; retrying');
      },
      retryMs: POLL_INTERVAL_MS,
    });
    this.#unsubscribe = ports.tail.subscribe(entries => this.#onEvents(entries));
  }

  static start(ports: WebhookPorts): WebhookDispatcher {
    const dispatcher = new WebhookDispatcher(ports);
    dispatcher.#job.scheduleIn(0);
    return dispatcher;
  }

  /** Running deliveries get a short time to finish. Another server repeats aborted ones. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stopping.abort();
    await this.#job.stop();
    const allFinished = () => Promise.all([...this.#workers.values()].map(worker => worker.finished()));
    await waitUpTo(this.#ports.clock, STOP_TIMEOUT_MS, allFinished);
    this.#aborting.abort();
    await waitUpTo(this.#ports.clock, STOP_TIMEOUT_MS, allFinished);
  }

  #onEvents(entries: readonly LogEntry[]): void {
    if (entries.some(({ type }) => this.#wantedTypes.has(type) || eventResource(type) === 'webhook'))
      this.#job.scheduleIn(0);
  }

  async #poll(): Promise<number> {
    const { store } = this.#ports;
    if (this.#isFirstPoll && !store.isShared) await store.transaction(records => records.webhooks.releaseStaleClaims());
    this.#isFirstPoll = false;
    const webhooks = await store.reads.webhooks.listEnabled();
    this.#wantedTypes = new Set(expandEventTypes(webhooks.flatMap(({ events }) => events)));
    this.#removeStaleWorkers(new Set(webhooks.map(({ name }) => name)));
    if (webhooks.length === 0) return POLL_INTERVAL_MS;
    return this.#dispatch(webhooks, await store.reads.eventLog.getState(), await store.reads.nowMs());
  }

  #dispatch(webhooks: readonly Webhook[], state: LogState, now: number): number {
    let nextInMs = POLL_INTERVAL_MS;
    for (const webhook of webhooks) {
      const delayMs = delayUntilClaimable(webhook, now);
      const worker = this.#workerFor(webhook.name);
      if (delayMs > 0) nextInMs = Math.min(nextInMs, delayMs);
      else if (webhook.progress.position !== state.lastId && !worker.isBusy)
        worker.start(webhook, state, () => this.#job.scheduleIn(0));
    }
    return nextInMs;
  }

  #workerFor(name: RecordName): WebhookWorker {
    const existing = this.#workers.get(name);
    const signals = { stopping: this.#stopping.signal, aborting: this.#aborting.signal };
    const worker = existing ?? new WebhookWorker(this.#ports, this.#slots, signals);
    this.#workers.set(name, worker);
    return worker;
  }

  #removeStaleWorkers(names: ReadonlySet<RecordName>): void {
    for (const [name, worker] of this.#workers) if (!names.has(name) && !worker.isBusy) this.#workers.delete(name);
  }
}

/** A time too far in the future was written before the clock was set back, and does not count. */
function delayUntilClaimable({ claimedUntilMs, progress }: Webhook, now: number): number {
  const claimedMs = claimedUntilMs - now <= 2 * WEBHOOK_CLAIM_MS ? claimedUntilMs - now : 0;
  const backoffMs = progress.dueAtMs - now <= 2 * MAX_WEBHOOK_BACKOFF_MS ? progress.dueAtMs - now : 0;
  return Math.max(claimedMs, backoffMs, 0);
}
