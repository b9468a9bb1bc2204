import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { toOutboxEntry } from '../../domain/events/domain-event.ts';
import type { LogEntry, LogState } from '../../domain/events/event-log.ts';
import { toEvent } from '../../domain/events/event-log.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Webhook, WebhookProgress, WebhookTarget } from '../../domain/webhooks/webhook.ts';
import { expandEventTypes } from '../../domain/webhooks/webhook.ts';
import {
  checkResponse,
  parseRetryAfter,
  RESPONSE_TIMEOUT_MS,
  webhookMessage,
} from '../../domain/webhooks/webhook-message.ts';
import { afterDelivery, afterFailure, afterLogGap, afterSkipping } from '../../domain/webhooks/webhook-progress.ts';
import type { StopSignals, WebhookPorts } from '../ports.ts';
import { WEBHOOK_CLAIM_MS } from '../ports.ts';

/** A delivery that starts at this age of the claim ends, and is saved, before the claim expires. */
const MAX_CLAIM_AGE_MS = WEBHOOK_CLAIM_MS - RESPONSE_TIMEOUT_MS - 1000;
const MAX_RUN_MS = 30_000;
const PAGE_SIZE = 100;

/** Another server has claimed the webhook, or it was changed or removed. */
class WebhookClaimLostError extends Error {}

interface DeliveryContext extends StopSignals {
  /** Monotonic time before the claim. */
  readonly startedAtMs: number;
}

/** Delivers the pending events of a claimed webhook and then releases the claim. */
export class WebhookDelivery {
  readonly #ports: WebhookPorts;
  readonly #webhook: Webhook;
  readonly #target: WebhookTarget;
  readonly #context: DeliveryContext;
  readonly #wantedTypes: ReadonlySet<string>;
  #progress: WebhookProgress;
  /** Monotonic time before the claim was last extended. */
  #claimedAtMs: number;

  constructor(ports: WebhookPorts, webhook: Webhook, target: WebhookTarget, context: DeliveryContext) {
    this.#ports = ports;
    this.#webhook = webhook;
    this.#target = target;
    this.#context = context;
    this.#wantedTypes = new Set(expandEventTypes(webhook.events));
    this.#progress = webhook.progress;
    this.#claimedAtMs = context.startedAtMs;
  }

  /** `prunedLog` is set if the log no longer has the events after the webhook's position. */
  async run(prunedLog?: LogState): Promise<void> {
    try {
      if (prunedLog) await this.#skipPrunedEvents(prunedLog);
      while (await this.#deliverPage());
    } catch (error) {
      if (!(error instanceof WebhookClaimLostError)) throw error;
    }
  }

  async #skipPrunedEvents(state: LogState): Promise<void> {
    const { name: webhook } = this.#webhook;
    await this.#save(afterLogGap(this.#progress, state));
    this.#ports.log.warn(
      { webhook, problem: this.#progress.problem },
      'events for a webhook were pruned; continuing with the oldest available event',
    );
  }

  /** Returns whether there may be more events. Otherwise the claim is released. */
  async #deliverPage(): Promise<boolean> {
    const { store, clock } = this.#ports;
    const entries = await store.reads.eventLog.readAfter(this.#progress.position, PAGE_SIZE);
    const isOutOfTime = clock.monotonicMs() - this.#context.startedAtMs > MAX_RUN_MS;
    const isLast = isOutOfTime || entries.length < PAGE_SIZE;
    for (const entry of entries) {
      if (this.#context.stopping.aborted) break;
      if (!this.#wantedTypes.has(entry.type)) this.#progress = afterSkipping(this.#progress, entry.id);
      else if (!(await this.#send(entry, !isLast || entry !== entries.at(-1)))) return false;
    }
    const continues = !isLast && !this.#context.stopping.aborted;
    await this.#save(this.#progress, continues);
    return continues;
  }

  /** Returns whether the event was delivered and this server keeps the claim. */
  async #send(entry: LogEntry, continues: boolean): Promise<boolean> {
    const { clock, send, metrics } = this.#ports;
    if (clock.monotonicMs() - this.#claimedAtMs > MAX_CLAIM_AGE_MS) await this.#save(this.#progress);
    const { name } = this.#webhook;
    const { url, secret } = this.#target;
    const message = webhookMessage({ name, secret }, toEvent(entry), clock.now());
    const startedMs = clock.monotonicMs();
    const response = await send(url, message, this.#context.aborting);
    const problem = checkResponse(response);
    const seconds = (clock.monotonicMs() - startedMs) / 1000;
    if (problem === undefined) {
      metrics?.webhookSent('delivered', seconds);
      await this.#save(afterDelivery(this.#progress, entry.id, formatTimestamp(clock.now())), continues);
      return continues;
    }
    // An aborted request is not a failure of the receiver.
    if (this.#context.aborting.aborted) await this.#save(this.#progress, false);
    else {
      metrics?.webhookSent('status' in response ? 'rejected' : 'no_response', seconds);
      await this.#recordFailure(problem, 'status' in response ? response.retryAfter : undefined);
    }
    return false;
  }

  async #recordFailure(problem: string, retryAfter: string | undefined): Promise<void> {
    const { store, disableAfterMs: timeoutMs, jitter, clock, log } = this.#ports;
    const { name, fence } = this.#webhook;
    const previous = this.#progress;
    const jitterFraction = jitter();
    const next = await store.transaction(async records => {
      const nowMs = await records.nowMs();
      const retryAfterMs = parseRetryAfter(retryAfter, clock.now());
      const failed = { problem, retryAfterMs, nowMs, jitter: jitterFraction, timeoutMs };
      const progress = afterFailure(previous, failed);
      if (!(await records.webhooks.saveProgress(name, { fence, claimedUntilMs: 0 }, progress)))
        throw new WebhookClaimLostError();
      if (progress.disabledAt !== null) {
        const event = { type: 'webhook.disabled', subject: name, data: { problem } } as const;
        await records.outbox.add([toOutboxEntry(event, LOCAL_ACTOR, formatTimestamp(clock.now()))]);
      }
      return progress;
    });
    const fields = { webhook: name, problem };
    if (next.disabledAt !== null) log.warn(fields, 'webhook disabled because deliveries failed for too long');
    else if (previous.failingSinceMs === null) log.warn(fields, 'webhook delivery failing; retrying');
  }

  async #save(progress: WebhookProgress, keepsClaim = true): Promise<void> {
    const { store, clock } = this.#ports;
    const { name, fence } = this.#webhook;
    const atMs = clock.monotonicMs();
    const isSaved = await store.transaction(async records => {
      const claimedUntilMs = keepsClaim ? (await records.nowMs()) + WEBHOOK_CLAIM_MS : 0;
      return records.webhooks.saveProgress(name, { fence, claimedUntilMs }, progress);
    });
    if (!isSaved) throw new WebhookClaimLostError();
    if (this.#progress.failingSinceMs !== null && progress.failingSinceMs === null)
      this.#ports.log.info({ webhook: name }, 'webhook delivery recovered');
    this.#progress = progress;
    this.#claimedAtMs = atMs;
  }
}
