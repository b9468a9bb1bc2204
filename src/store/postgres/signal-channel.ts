// Sends signals between servers with `LISTEN` and `NOTIFY` on a separate connection. It is not used in
// transactions that write, because PostgreSQL serializes commits of transactions that notify. Signals only
// reduce latency: receivers also poll, so a lost signal costs a short delay. Output notifications are not
// polled; a lost one is followed by others.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Signal } from '../../domain/events/signal.ts';
import { isSignal } from '../../domain/events/signal.ts';
import { exponentialBackoffMs } from '../../lib/time/backoff.ts';
import { toConnectionConfig } from './pool.ts';

const CHANNEL = 'hostler';
const BATCH_WINDOW_MS = 20;
const PING_INTERVAL_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 5000;
const INITIAL_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 5000;
const CLOSE_TIMEOUT_MS = 500;
const WARN_AFTER_MS = 5000;

/** Signals that may have been lost before `LISTEN`. */
const CATCH_UP_SIGNALS: readonly Signal[] = ['due', 'log'];

export class SignalChannel {
  readonly #url: string;
  readonly #onSignals: (signals: Iterable<Signal>) => void;
  readonly #onWarning: (message: string) => void;
  #client: pg.Client | undefined;
  #pending = new Set<Signal>();
  #timers = new Set<NodeJS.Timeout>();
  #attempts = 0;
  #lastQuery: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #lostSinceMs: number | undefined;
  #isWarned = false;

  /** `onWarning` reports a long loss of the connection and its recovery. */
  constructor(url: string, onSignals: (signals: Iterable<Signal>) => void, onWarning: (message: string) => void) {
    this.#url = url;
    this.#onSignals = onSignals;
    this.#onWarning = onWarning;
    void this.#connect();
  }

  notify(signals: Iterable<Signal>): void {
    for (const signal of signals) {
      // Only the server that wrote to the outbox needs this signal.
      if (signal === 'outbox') continue;
      if (this.#pending.size === 0) this.#setTimer(BATCH_WINDOW_MS, () => void this.#send());
      this.#pending.add(signal);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    // Do not wait for a PostgreSQL that does not respond.
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
      this.#attempts = 0;
      this.#onConnected();
      this.#onSignals(CATCH_UP_SIGNALS);
      this.#schedulePing(client);
    } catch (error) {
      this.#onConnectionLost(client, error);
    }
  }

  /** Detects a connection that was lost silently. */
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
      // Other servers poll, so a lost signal is only a delay.
    }
  }

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
    this.#attempts += 1;
    const backoffMs = exponentialBackoffMs(INITIAL_BACKOFF_MS, this.#attempts, MAX_BACKOFF_MS);
    this.#setTimer(backoffMs * (0.5 + Math.random()), () => void this.#connect());
  }

  #disconnect(client: pg.Client | undefined): void {
    this.#client = undefined;
    // Do not wait for a PostgreSQL that does not respond.
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
