import { StoreUnavailableError } from '../../domain/errors.ts';
import type { LogState } from '../../domain/events/event-log.ts';
import { isPositionReadable } from '../../domain/events/event-log.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { decryptTarget, expandEventTypes } from '../../domain/webhooks/webhook.ts';
import type { Semaphore } from '../../lib/concurrency.ts';
import type { StopSignals, WebhookPorts } from '../ports.ts';
import { WEBHOOK_CLAIM_MS } from '../ports.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

/** A skipped position is saved after this many unwanted events, or after `SAVE_SKIPS_AFTER_MS`. */
const MAX_UNSAVED_SKIPS = 500;
const SAVE_SKIPS_AFTER_MS = 60_000;

export class WebhookWorker {
  readonly #ports: WebhookPorts;
  readonly #slots: Semaphore;
  readonly #signals: StopSignals;
  #current: Promise<void> | undefined;
  #claimedAtMs: number;
  /** No event up to this id matches this revision of the webhook, so it is not read again. */
  #skipped = { revision: '', upTo: 0 };

  constructor(ports: WebhookPorts, slots: Semaphore, signals: StopSignals) {
    this.#ports = ports;
    this.#slots = slots;
    this.#signals = signals;
    this.#claimedAtMs = ports.clock.monotonicMs();
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  async finished(): Promise<void> {
    await this.#current;
  }

  /** Calls `onProgress` if the position may have changed and there may be more events. */
  start(webhook: Webhook, state: LogState, onProgress: () => void): void {
    this.#current = this.#slots
      .run(() => this.#deliver(webhook, state))
      .catch(error => this.#logError(webhook, error))
      .then(hasProgressed => {
        this.#current = undefined;
        if (hasProgressed) onProgress();
      });
  }

  #logError({ name: webhook }: Webhook, error: unknown): false {
    if (!(error instanceof StoreUnavailableError))
      this.#ports.log.error({ err: error, webhook }, 'webhook delivery failed unexpectedly; retrying');
    return false;
  }

  async #deliver(webhook: Webhook, state: LogState): Promise<boolean> {
    const { store, vault } = this.#ports;
    const { name } = webhook;
    const isReadable = isPositionReadable(webhook.progress.position, state);
    if (this.#signals.stopping.aborted || (isReadable && !(await this.#needsDelivery(webhook)))) return false;
    this.#claimedAtMs = this.#ports.clock.monotonicMs();
    const claimed = await store.transaction(async records =>
      records.webhooks.claim(name, webhook, (await records.nowMs()) + WEBHOOK_CLAIM_MS),
    );
    if (claimed === undefined) return true;
    const target = await decryptTarget(vault, store.reads.dataKeys, claimed);
    const delivery = new WebhookDelivery(this.#ports, claimed, target, {
      startedAtMs: this.#claimedAtMs,
      ...this.#signals,
    });
    await delivery.run(isReadable ? undefined : state);
    return true;
  }

  /** Returns whether there is a matching event, or enough skipped events to save the position. */
  async #needsDelivery({ revision, events, progress: { position } }: Webhook): Promise<boolean> {
    const wanted = new Set(expandEventTypes(events));
    const after = this.#skipped.revision === revision ? Math.max(position, this.#skipped.upTo) : position;
    const entries = await this.#ports.store.reads.eventLog.readAfter(after, MAX_UNSAVED_SKIPS);
    if (entries.some(({ type }) => wanted.has(type))) return true;
    const upTo = entries.at(-1)?.id ?? after;
    this.#skipped = { revision, upTo };
    const isLongAgo = this.#ports.clock.monotonicMs() - this.#claimedAtMs >= SAVE_SKIPS_AFTER_MS;
    return upTo - position >= MAX_UNSAVED_SKIPS || (isLongAgo && upTo > position);
  }
}
