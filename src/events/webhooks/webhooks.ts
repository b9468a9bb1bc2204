// Events are sent to webhooks from every server. What must hold: one server at a time has a webhook, however many share the store; it
// sends one event after the other, and none before the one ahead was taken in; a webhook that is slow or away holds up no other; and
// whoever was frozen and wakes up moves no position. An event may be sent twice, when a server dies between sending and saving that.

import { StoreUnavailableError } from '../../domain/errors.ts';
import type { LogEntry, LogState } from '../../domain/events/event-log.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { EventType } from '../../domain/vocabulary.ts';
import { eventResource } from '../../domain/vocabulary.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { expandEventTypes } from '../../domain/webhooks/webhook.ts';
import { MAX_WEBHOOK_BACKOFF_MS } from '../../domain/webhooks/webhook-progress.ts';
import { Pacer } from '../../lib/time/pacer.ts';
import { within } from '../../lib/time/sleep.ts';
import { Semaphore } from '../../lib/turns/semaphore.ts';
import { Courier } from './courier.ts';
import type { WebhookPorts } from './ports.ts';
import { LEASE_MS } from './ports.ts';

/** What comes in within so long is looked at together. */
const PACE_MS = 20;
/** Something may have been missed, or left by a server that died. */
const LOOK_EVERY_MS = 3000;
/** How many are sent to at once. One that does not answer gives its place back after ten seconds. */
const WEBHOOKS_AT_ONCE = 64;
/** A message that is under way at a stop. */
const LEAVE_WITHIN_MS = 2000;

export class Webhooks {
  readonly #ports: WebhookPorts;
  readonly #pacer: Pacer;
  readonly #couriers = new Map<RecordName, Courier>();
  readonly #places = new Semaphore(WEBHOOKS_AT_ONCE, Number.POSITIVE_INFINITY);
  readonly #leaving = new AbortController();
  readonly #callingOff = new AbortController();
  readonly #stopFollowing: () => void;
  /** What some webhook wants; others need no look. */
  #wanted: ReadonlySet<EventType> = new Set();
  #isFirstLook = true;

  private constructor(ports: WebhookPorts) {
    this.#ports = ports;
    this.#pacer = new Pacer(ports.clock, PACE_MS, () => this.#look());
    this.#stopFollowing = ports.tail.follow(entries => this.#heard(entries));
  }

  static start(ports: WebhookPorts): Webhooks {
    const started = new Webhooks(ports);
    started.#pacer.doIn(0);
    return started;
  }

  /** Begins nothing more. What is under way may come to its end for a moment; what is called off then is sent again by another. */
  async stop(): Promise<void> {
    this.#stopFollowing();
    this.#leaving.abort();
    await this.#pacer.stop();
    const ended = () => Promise.all([...this.#couriers.values()].map(courier => courier.ended()));
    await within(this.#ports.clock, LEAVE_WITHIN_MS, ended);
    this.#callingOff.abort();
    await within(this.#ports.clock, LEAVE_WITHIN_MS, ended);
  }

  #heard(entries: readonly LogEntry[]): void {
    if (entries.some(({ type }) => this.#wanted.has(type) || eventResource(type) === 'webhook'))
      this.#pacer.doIn(0);
  }

  async #look(): Promise<void> {
    const { store, log } = this.#ports;
    let againInMs = LOOK_EVERY_MS;
    try {
      if (this.#isFirstLook && !store.isShared)
        await store.transaction(records => records.webhooks.freeFromEarlier());
      this.#isFirstLook = false;
      const webhooks = await store.reads.webhooks.unparked();
      this.#wanted = new Set(expandEventTypes(webhooks.flatMap(({ events }) => events)));
      this.#forgetAllBut(new Set(webhooks.map(({ name }) => name)));
      if (webhooks.length > 0)
        againInMs = this.#sendOut(webhooks, await store.reads.log.state(), await store.reads.nowMs());
    } catch (error) {
      if (!(error instanceof StoreUnavailableError))
        log.error({ err: error }, 'webhook dispatch failed; retrying');
    }
    this.#pacer.doIn(againInMs);
  }

  /** Answers in how long to look again. */
  #sendOut(webhooks: readonly Webhook[], state: LogState, now: number): number {
    let againInMs = LOOK_EVERY_MS;
    for (const webhook of webhooks) {
      const waitMs = waitFor(webhook, now);
      const courier = this.#courierOf(webhook.name);
      if (waitMs > 0) againInMs = Math.min(againInMs, waitMs);
      else if (webhook.progress.position !== state.lastId && !courier.isOut)
        courier.send(webhook, state, () => this.#pacer.doIn(0));
    }
    return againInMs;
  }

  #courierOf(name: RecordName): Courier {
    const kept = this.#couriers.get(name);
    const signals = { leaving: this.#leaving.signal, callingOff: this.#callingOff.signal };
    const courier = kept ?? new Courier(this.#ports, this.#places, signals);
    this.#couriers.set(name, courier);
    return courier;
  }

  #forgetAllBut(names: ReadonlySet<RecordName>): void {
    for (const [name, courier] of this.#couriers)
      if (!names.has(name) && !courier.isOut) this.#couriers.delete(name);
  }
}

/** In how long it may be taken. Times further away than they can be were written before the clock was set. */
function waitFor({ claimedUntilMs, progress }: Webhook, now: number): number {
  const busyMs = claimedUntilMs - now <= 2 * LEASE_MS ? claimedUntilMs - now : 0;
  const pauseMs = progress.dueAtMs - now <= 2 * MAX_WEBHOOK_BACKOFF_MS ? progress.dueAtMs - now : 0;
  return Math.max(busyMs, pauseMs, 0);
}
