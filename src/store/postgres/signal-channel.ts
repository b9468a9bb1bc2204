// How servers on one PostgreSQL hear of each other: one connection of each server's own, which listens and notifies. It is never part
// of a transaction that changes anything, since PostgreSQL lets those that notify commit only one after the other. What it is for is
// speed: whoever listens also looks now and then, so a signal that is lost costs a moment and nothing else. Nobody looks for hints of
// output: they are for people who watch, and there are more soon.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Signal } from '../../domain/events/signal.ts';
import { isSignal } from '../../domain/events/signal.ts';
import { withSettings } from './session-settings.ts';

const CHANNEL = 'hostler';
/** Signals of so long are sent together. */
const GATHER_MS = 20;
const ASK_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const CLOSE_WITHIN_MS = 500;
const TELL_AFTER_MS = 5000;

/** What may have been missed while nobody listened. */
const ANYTHING: readonly Signal[] = ['due', 'log'];

export class SignalChannel {
  readonly #url: string;
  readonly #onHeard: (signals: Iterable<Signal>) => void;
  readonly #tell: (message: string) => void;
  #client: pg.Client | undefined;
  #gathered = new Set<Signal>();
  #timers = new Set<NodeJS.Timeout>();
  #pauseMs = FIRST_PAUSE_MS;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #lostSinceMs: number | undefined;
  #isTold = false;

  /** `onHeard` is told what other servers announce; `tell` that they cannot be heard for longer, and can again. */
  constructor(url: string, onHeard: (signals: Iterable<Signal>) => void, tell: (message: string) => void) {
    this.#url = url;
    this.#onHeard = onHeard;
    this.#tell = tell;
    void this.#connect();
  }

  /** Tells the other servers, soon. */
  announce(signals: Iterable<Signal>): void {
    for (const signal of signals) {
      // That the outbox has something is for the server itself.
      if (signal === 'outbox') continue;
      if (this.#gathered.size === 0) this.#later(GATHER_MS, () => void this.#send());
      this.#gathered.add(signal);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    // A PostgreSQL that hangs is not waited for.
    await Promise.race([this.#send(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    this.#drop(this.#client);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...withSettings(this.#url),
      application_name: 'hostler notifications',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    this.#client = client;
    try {
      await this.#inTurn(async () => {
        await client.connect();
        const { rows } = await client.query('select pg_backend_pid() as pid');
        client.on('notification', ({ processId, payload = '' }) => {
          if (processId !== rows[0]?.pid && isSignal(payload)) this.#onHeard([payload]);
        });
        await client.query(`listen ${CHANNEL}`);
      });
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#found();
      this.#onHeard(ANYTHING);
      this.#askLater(client);
    } catch (error) {
      this.#lost(client, error);
    }
  }

  /** A connection may be gone without a word. */
  #askLater(client: pg.Client): void {
    this.#later(ASK_EVERY_MS, async () => {
      if (client !== this.#client) return;
      try {
        await this.#inTurn(() => client.query('select 1'));
        this.#askLater(client);
      } catch {
        this.#lost(client);
      }
    });
  }

  async #send(): Promise<void> {
    try {
      await this.#inTurn(async () => {
        const signals = [...this.#gathered];
        this.#gathered = new Set();
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
  #inTurn<T>(query: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(query);
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  #found(): void {
    if (this.#isTold) this.#tell('connection for notifications restored');
    this.#isTold = false;
    this.#lostSinceMs = undefined;
  }

  #lost(client: pg.Client, error?: unknown): void {
    if (client !== this.#client) return;
    this.#drop(client);
    if (this.#isClosed) return;
    this.#lostSinceMs ??= performance.now();
    if (!this.#isTold && performance.now() - this.#lostSinceMs > TELL_AFTER_MS) {
      this.#isTold = true;
      const why = error instanceof Error ? `: ${error.message}` : '';
      this.#tell(
        `connection for notifications lost; polling every few seconds instead${why}; check the settings store_direct and store`,
      );
    }
    this.#later(this.#pauseMs * (0.5 + Math.random()), () => void this.#connect());
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  #drop(client: pg.Client | undefined): void {
    this.#client = undefined;
    // A PostgreSQL that does not answer is not waited for.
    client?.end().catch(() => {});
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#isClosed) work();
    }, ms);
    this.#timers.add(timer);
  }
}
