// How servers on one PostgreSQL hear of each other: one connection of each server's own, which listens and notifies. It is never part
// of a transaction that changes anything, since PostgreSQL lets those that notify commit only one after the other. What it is for is
// speed: whoever listens also looks now and then, so a signal that is lost costs a moment and nothing else. Nobody looks for hints of
// output: they are for people who watch, and there are more soon.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Signal } from '../../domain/events/signal.ts';
import { isSignal } from '../../domain/events/signal.ts';
import { toConnectionConfig } from './pool.ts';

const CHANNEL = 'hostler';
/** Signals of so long are sent together. */
const BATCH_WINDOW_MS = 20;
const PING_INTERVAL_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 5000;
const INITIAL_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;
const CLOSE_TIMEOUT_MS = 500;
const WARN_AFTER_MS = 5000;

/** What may have been missed while nobody listened. */
const CATCH_UP_SIGNALS: readonly Signal[] = ['due', 'log'];

export class SignalChannel {
  readonly #url: string;
  readonly #onSignals: (signals: Iterable<Signal>) => void;
  readonly #onWarning: (message: string) => void;
  #client: pg.Client | undefined;
  #pending = new Set<Signal>();
  #timers = new Set<NodeJS.Timeout>();
  #backoffMs = INITIAL_BACKOFF_MS;
  #lastQuery: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #lostSinceMs: number | undefined;
  #isWarned = false;

  /** `onHeard` is told what other servers announce; `tell` that they cannot be heard for longer, and can again. */
  constructor(
    url: string,
    onSignals: (signals: Iterable<Signal>) => void,
    onWarning: (message: string) => void,
  ) {
    this.#url = url;
    this.#onSignals = onSignals;
    this.#onWarning = onWarning;
    void this.#connect();
  }

  /** Tells the other servers, soon. */
  notify(signals: Iterable<Signal>): void {
    for (const signal of signals) {
      // That the outbox has something is for the server itself.
      if (signal === 'outbox') continue;
      if (this.#pending.size === 0) this.#setTimer(BATCH_WINDOW_MS, () => void this.#send());
      this.#pending.add(signal);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    // A PostgreSQL that hangs is not waited for.
    await Promise.race([this.#send(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.#disconnect(this.#client);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...toConnectionConfig(this.#url),
      application_name: 'hostler notifications',
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => this.#onConnectionLost(client));
    client.on('end', () => this.#onConnectionLost(client));
    this.#client = client;
    try {
      await this.#enqueue(async () => {
        await client.connect();
        const { rows } = await client.query('select pg_backend_pid() as pid');
        client.on('notification', ({ processId, payload = '' }) => {
          if (processId !== rows[0]?.pid && isSignal(payload)) this.#onSignals([payload]);
        });
        await client.query(`listen ${CHANNEL}`);
      });
      this.#backoffMs = INITIAL_BACKOFF_MS;
      this.#onConnected();
      this.#onSignals(CATCH_UP_SIGNALS);
      this.#schedulePing(client);
    } catch (error) {
      this.#onConnectionLost(client, error);
    }
  }

  /** A connection may be gone without a word. */
  #schedulePing(client: pg.Client): void {
    this.#setTimer(PING_INTERVAL_MS, async () => {
      if (client !== this.#client) return;
      try {
        await this.#enqueue(() => client.query('select 1'));
        this.#schedulePing(client);
      } catch {
        this.#onConnectionLost(client);
      }
    });
  }

  async #send(): Promise<void> {
    try {
      await this.#enqueue(async () => {
        const signals = [...this.#pending];
        this.#pending = new Set();
        if (signals.length > 0)
          await this.#client?.query('select pg_notify($1, signal) from unnest($2::text[]) as signal', [
            CHANNEL,
            signals,
          ]);
      });
    } catch {
      // Others look by themselves before long.
    }
  }

  /** A connection takes one query at a time. */
  #enqueue<T>(query: () => Promise<T>): Promise<T> {
    const result = this.#lastQuery.then(query);
    this.#lastQuery = result.catch(() => {});
    return result;
  }

  #onConnected(): void {
    if (this.#isWarned) this.#onWarning('connection for notifications restored');
    this.#isWarned = false;
    this.#lostSinceMs = undefined;
  }

  #onConnectionLost(client: pg.Client, error?: unknown): void {
    if (client !== this.#client) return;
    this.#disconnect(client);
    if (this.#isClosed) return;
    this.#lostSinceMs ??= performance.now();
    if (!this.#isWarned && performance.now() - this.#lostSinceMs > WARN_AFTER_MS) {
      this.#isWarned = true;
      const reason = error instanceof Error ? `: ${error.message}` : '';
      this.#onWarning(
        `connection for notifications lost; polling every few seconds instead${reason}; check the settings store_direct and store`,
      );
    }
    this.#setTimer(this.#backoffMs * (0.5 + Math.random()), () => void this.#connect());
    this.#backoffMs = Math.min(MAX_BACKOFF_MS, this.#backoffMs * 2);
  }

  #disconnect(client: pg.Client | undefined): void {
    this.#client = undefined;
    // A PostgreSQL that does not answer is not waited for.
    client?.end().catch(() => {});
  }

  #setTimer(ms: number, callback: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isClosed) callback();
    }, ms);
    this.#timers.add(timer);
  }
}
