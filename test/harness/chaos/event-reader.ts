import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStreamParser } from './read-event-stream.ts';

const PAUSE_MS = 50;

export interface SeenEvent {
  readonly id: number;
  readonly type: string;
  /** By our clock, in milliseconds since 1970. */
  readonly seenAtMs: number;
  /** The whole of it. */
  readonly event: Readonly<Record<string, unknown>>;
}

export interface EventReaderOptions {
  /** Of the servers that run. */
  readonly urls: () => readonly string[];
  readonly authorization: string;
  /** A server that says nothing for so long is given up. */
  readonly silenceMs: number;
  /** The event to begin after; without it all there are. */
  readonly after?: number;
}

/** Follows the events of the service. It goes to another server whenever its own ends or falls silent, and resumes where it was. */
export class EventReader {
  readonly events: SeenEvent[] = [];
  /** What servers said that they must not. */
  readonly problems: string[] = [];
  /** How many streams it has read from. */
  streams = 0;
  readonly #options: EventReaderOptions;
  readonly #stopping = new AbortController();
  #lastUrl = '';
  #reading: Promise<void> | undefined;

  constructor(options: EventReaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#reading = this.#readAll();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#reading;
  }

  /** The ID of the event before the first event to read. */
  get begunAfter(): number {
    return this.#options.after ?? 0;
  }

  get position(): number {
    return this.events.at(-1)?.id ?? this.begunAfter;
  }

  async #readAll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const urls = this.#options.urls();
      const url = urls.find(each => each !== this.#lastUrl) ?? urls[0];
      if (url !== undefined) await this.#readFrom(url).catch(() => {});
      await delay(PAUSE_MS);
    }
  }

  /** Until it ends or falls silent. */
  async #readFrom(url: string): Promise<void> {
    this.#lastUrl = url;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), this.#options.silenceMs);
    try {
      const parser = new EventStreamParser();
      const signal = AbortSignal.any([silence.signal, this.#stopping.signal]);
      const response = await this.#open(url, signal);
      if (response.statusCode !== 200) {
        response.resume();
        if ((response.statusCode ?? 0) >= 500) return;
        // It will not be otherwise anywhere else.
        this.problems.push(`events are answered with ${response.statusCode}`);
        this.#stopping.abort();
        return;
      }
      this.streams += 1;
      for await (const text of response.setEncoding('utf8')) {
        timer.refresh();
        for (const message of parser.add(String(text))) this.#take(message);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #open(url: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { authorization } = this.#options;
    const resumed = this.position > 0 ? { 'last-event-id': String(this.position) } : {};
    const target = `${url}/api/v0/events${this.position > 0 ? '' : '?after=0'}`;
    return new Promise((resolve, reject) => {
      const asked = request(target, { agent: false, signal, headers: { authorization, ...resumed } });
      asked.once('response', resolve).once('error', reject).end();
    });
  }

  #take({ event, id, data }: { event: string; id: string; data: string }): void {
    if (event !== '') {
      this.problems.push(`after event ${this.position} there was a ${event}`);
      return;
    }
    const parsed: Record<string, unknown> = JSON.parse(data);
    if (String(parsed['id']) !== id)
      this.problems.push(`event ${id} says that it is ${String(parsed['id'])}`);
    this.events.push({ id: Number(id), type: String(parsed['type']), seenAtMs: Date.now(), event: parsed });
  }
}
