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
import {
  afterDelivery,
  afterFailure,
  afterLogGap,
  afterSkipping,
} from '../../domain/webhooks/webhook-progress.ts';
import type { StopSignals, WebhookPorts } from './ports.ts';
import { LEASE_MS } from './ports.ts';

/** With no more of the lease behind us a message comes to its end within it, and a moment is left to save that. */
const SEND_WITHIN_MS = LEASE_MS - RESPONSE_TIMEOUT_MS - 1000;
/** Others may wait for their turn. */
const TURN_MS = 30_000;
const ENTRIES_AT_ONCE = 100;

/** Another server has it by now, or it was changed or removed. */
class LostWebhook extends Error {}

interface Turn extends StopSignals {
  /** By our own clock: before it was taken. */
  readonly begunAtMs: number;
}

/** Sends to a webhook that this server has taken what is there for it, and lets others have it again. */
export class DeliveryTurn {
  readonly #ports: WebhookPorts;
  readonly #webhook: Webhook;
  readonly #receiver: WebhookTarget;
  readonly #turn: Turn;
  readonly #wanted: ReadonlySet<string>;
  #progress: WebhookProgress;
  /** By our own clock. */
  #heldSinceMs: number;

  constructor(ports: WebhookPorts, webhook: Webhook, receiver: WebhookTarget, turn: Turn) {
    this.#ports = ports;
    this.#webhook = webhook;
    this.#receiver = receiver;
    this.#turn = turn;
    this.#wanted = new Set(expandEventTypes(webhook.events));
    this.#progress = webhook.progress;
    this.#heldSinceMs = turn.begunAtMs;
  }

  /** `lost`: the log as it is, which no longer has what comes after the position. */
  async run(lost?: LogState): Promise<void> {
    try {
      if (lost) await this.#tellLoss(lost);
      while (await this.#sendPage());
    } catch (error) {
      if (!(error instanceof LostWebhook)) throw error;
    }
  }

  async #tellLoss(state: LogState): Promise<void> {
    const { name: webhook } = this.#webhook;
    await this.#save(afterLogGap(this.#progress, state));
    this.#ports.log.warn(
      { webhook, problem: this.#progress.problem },
      'events for a webhook were pruned; continuing with the oldest available event',
    );
  }

  /** Whether there may be more, and it is still ours. With the last save of a turn others may have it. */
  async #sendPage(): Promise<boolean> {
    const { store, clock } = this.#ports;
    const entries = await store.reads.log.after(this.#progress.position, ENTRIES_AT_ONCE);
    const isOver = clock.monotonicMs() - this.#turn.begunAtMs > TURN_MS;
    const isLast = isOver || entries.length < ENTRIES_AT_ONCE;
    for (const entry of entries) {
      if (this.#turn.leaving.aborted) break;
      if (!this.#wanted.has(entry.type)) this.#progress = afterSkipping(this.#progress, entry.id);
      else if (!(await this.#send(entry, !isLast || entry !== entries.at(-1)))) return false;
    }
    const goesOn = !isLast && !this.#turn.leaving.aborted;
    await this.#save(this.#progress, goesOn);
    return goesOn;
  }

  /** Whether it is still ours: it was taken in, and there may be more. */
  async #send(entry: LogEntry, goesOn: boolean): Promise<boolean> {
    const { clock, post, meter } = this.#ports;
    if (clock.monotonicMs() - this.#heldSinceMs > SEND_WITHIN_MS) await this.#save(this.#progress);
    const { name } = this.#webhook;
    const { url, secret } = this.#receiver;
    const message = webhookMessage({ name, secret }, toEvent(entry), clock.now());
    const begunMs = clock.monotonicMs();
    const answer = await post(url, message, this.#turn.callingOff);
    const problem = checkResponse(answer);
    const tookS = (clock.monotonicMs() - begunMs) / 1000;
    if (problem === undefined) {
      meter?.webhookSent('delivered', tookS);
      await this.#save(afterDelivery(this.#progress, entry.id, formatTimestamp(clock.now())), goesOn);
      return goesOn;
    }
    // One that was called off says nothing of the receiver.
    if (this.#turn.callingOff.aborted) await this.#save(this.#progress, false);
    else {
      meter?.webhookSent('status' in answer ? 'rejected' : 'no_response', tookS);
      await this.#fail(problem, 'status' in answer ? answer.retryAfter : undefined);
    }
    return false;
  }

  async #fail(problem: string, retryAfter: string | undefined): Promise<void> {
    const { store, giveUpMs: timeoutMs, chance, clock, log } = this.#ports;
    const { name, fence } = this.#webhook;
    const before = this.#progress;
    const luck = chance();
    const after = await store.transaction(async records => {
      const nowMs = await records.nowMs();
      const retryAfterMs = parseRetryAfter(retryAfter, clock.now());
      const failed = { problem, retryAfterMs, nowMs, jitter: luck, timeoutMs: timeoutMs };
      const progress = afterFailure(before, failed);
      if (!(await records.webhooks.save(name, { fence, claimedUntilMs: 0 }, progress)))
        throw new LostWebhook();
      if (progress.disabledAt !== null) {
        const parked = { type: 'webhook.disabled', subject: name, data: { problem } } as const;
        await records.outbox.add([toOutboxEntry(parked, LOCAL_ACTOR, formatTimestamp(clock.now()))]);
      }
      return progress;
    });
    const told = { webhook: name, problem };
    if (after.disabledAt !== null) log.warn(told, 'webhook disabled because deliveries failed for too long');
    else if (before.failingSinceMs === null) log.warn(told, 'webhook delivery failing; retrying');
  }

  async #save(progress: WebhookProgress, isKept = true): Promise<void> {
    const { store, clock } = this.#ports;
    const { name, fence } = this.#webhook;
    const atMs = clock.monotonicMs();
    const isOurs = await store.transaction(async records => {
      const claimedUntilMs = isKept ? (await records.nowMs()) + LEASE_MS : 0;
      return records.webhooks.save(name, { fence, claimedUntilMs }, progress);
    });
    if (!isOurs) throw new LostWebhook();
    if (this.#progress.failingSinceMs !== null && progress.failingSinceMs === null)
      this.#ports.log.info({ webhook: name }, 'webhook delivery recovered');
    this.#progress = progress;
    this.#heldSinceMs = atMs;
  }
}
