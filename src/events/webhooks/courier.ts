import { StoreUnavailableError } from '../../domain/errors.ts';
import type { LogState } from '../../domain/events/event-log.ts';
import { isPositionReadable } from '../../domain/events/event-log.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { decryptTarget, expandEventTypes } from '../../domain/webhooks/webhook.ts';
import type { Semaphore } from '../../lib/turns/semaphore.ts';
import { DeliveryTurn } from './delivery-turn.ts';
import type { StopSignals, WebhookPorts } from './ports.ts';
import { LEASE_MS } from './ports.ts';

/** So many events that are not wanted are looked through before that is saved, or fewer when it is long ago that it was. */
const SAVE_SKIPPED = 500;
const SAVE_SKIPPED_AFTER_MS = 60_000;

/** Goes for one webhook, one turn at a time: takes it if there is something for it, and sends that. */
export class Courier {
  readonly #ports: WebhookPorts;
  readonly #places: Semaphore;
  readonly #signals: StopSignals;
  #turn: Promise<void> | undefined;
  #takenAtMs: number;
  /** Up to here there is nothing for this revision of it; so it need not be looked through again. */
  #seen = { revision: '', upTo: 0 };

  constructor(ports: WebhookPorts, places: Semaphore, signals: StopSignals) {
    this.#ports = ports;
    this.#places = places;
    this.#signals = signals;
    this.#takenAtMs = ports.clock.monotonicMs();
  }

  get isOut(): boolean {
    return this.#turn !== undefined;
  }

  async ended(): Promise<void> {
    await this.#turn;
  }

  /** `lookAgain`: it has done something, and there may be more. */
  send(webhook: Webhook, state: LogState, lookAgain: () => void): void {
    this.#turn = this.#places
      .run(() => this.#go(webhook, state))
      .catch(error => this.#complain(webhook, error))
      .then(hasSent => {
        this.#turn = undefined;
        if (hasSent) lookAgain();
      });
  }

  #complain({ name: webhook }: Webhook, error: unknown): false {
    if (!(error instanceof StoreUnavailableError))
      this.#ports.log.error({ err: error, webhook }, 'webhook delivery failed unexpectedly; retrying');
    return false;
  }

  async #go(webhook: Webhook, state: LogState): Promise<boolean> {
    const { store, vault } = this.#ports;
    const { name } = webhook;
    const isKept = isPositionReadable(webhook.progress.position, state);
    if (this.#signals.leaving.aborted || (isKept && !(await this.#hasSomethingFor(webhook)))) return false;
    this.#takenAtMs = this.#ports.clock.monotonicMs();
    const taken = await store.transaction(async records =>
      records.webhooks.take(name, webhook, (await records.nowMs()) + LEASE_MS),
    );
    if (taken === undefined) return true;
    const receiver = await decryptTarget(vault, store.reads.dataKeys, taken);
    const turn = new DeliveryTurn(this.#ports, taken, receiver, {
      begunAtMs: this.#takenAtMs,
      ...this.#signals,
    });
    await turn.run(isKept ? undefined : state);
    return true;
  }

  /** Whether there is an event that is wanted, or so many that are not that it is time to say so. */
  async #hasSomethingFor({ revision, events, progress: { position } }: Webhook): Promise<boolean> {
    const wanted = new Set(expandEventTypes(events));
    const after = this.#seen.revision === revision ? Math.max(position, this.#seen.upTo) : position;
    const entries = await this.#ports.store.reads.log.after(after, SAVE_SKIPPED);
    if (entries.some(({ type }) => wanted.has(type))) return true;
    const upTo = entries.at(-1)?.id ?? after;
    this.#seen = { revision, upTo };
    const isLongAgo = this.#ports.clock.monotonicMs() - this.#takenAtMs >= SAVE_SKIPPED_AFTER_MS;
    return upTo - position >= SAVE_SKIPPED || (isLongAgo && upTo > position);
  }
}
