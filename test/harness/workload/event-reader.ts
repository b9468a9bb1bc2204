import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { SseMessage } from '../../../src/sdk/event-stream.ts';
import { SseParser } from '../../../src/sdk/event-stream.ts';

const PAUSE_MS = 50;

export interface ReceivedEvent {
  readonly id: number;
  readonly type: string;
  /** The record that the type names, such as a cluster or a host. */
  readonly subject: string;
  /** Milliseconds since 1970 of the local clock. */
  readonly receivedAtMs: number;
  readonly event: Readonly<Record<string, unknown>>;
}

export interface EventReaderOptions {
  /** URLs of the running servers. */
  readonly urls: () => readonly string[];
  readonly authorization: string;
  /** The reader changes the server after this time without data. */
  readonly idleTimeoutMs: number;
  /** Default: all events. */
  readonly after?: number;
}

/** Follows the event stream. When a stream ends or is idle, the reader resumes on another server. */
export class EventReader {
  readonly events: ReceivedEvent[] = [];
  /** Messages that a server must never send. */
  readonly errors: string[] = [];
  /** Number of streams opened. */
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

  get startAfter(): number {
    return this.#options.after ?? 0;
  }

  get position(): number {
    return this.events.at(-1)?.id ?? this.startAfter;
  }

  async #readAll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const urls = this.#options.urls();
      const url = urls.find(candidate => candidate !== this.#lastUrl) ?? urls[0];
      if (url !== undefined) await this.#readFrom(url).catch(() => {});
      await delay(PAUSE_MS);
    }
  }

  /** Reads until the stream ends or is idle. */
  async #readFrom(url: string): Promise<void> {
    this.#lastUrl = url;
    const idle = new AbortController();
    const timer = setTimeout(() => idle.abort(), this.#options.idleTimeoutMs);
    try {
      const parser = new SseParser();
      const signal = AbortSignal.any([idle.signal, this.#stopping.signal]);
      const response = await this.#open(url, signal);
      if (response.statusCode !== 200) {
        response.resume();
        if ((response.statusCode ?? 0) >= 500) return;
        // Other servers would respond the same.
        this.errors.push(`GET /events returned ${response.statusCode}`);
        this.#stopping.abort();
        return;
      }
      this.streams += 1;
      for await (const text of response.setEncoding('utf8')) {
        timer.refresh();
        for (const message of parser.parse(String(text))) this.#receive(message);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #open(url: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { authorization } = this.#options;
    const resumeHeaders = this.position > 0 ? { 'last-event-id': String(this.position) } : {};
    const target = `${url}/api/v0/events${this.position > 0 ? '' : '?after=0'}`;
    return new Promise((resolve, reject) => {
      const clientRequest = request(target, {
        agent: false,
        signal,
        headers: { authorization, ...resumeHeaders },
      });
      clientRequest.once('response', resolve).once('error', reject).end();
    });
  }

  #receive({ type: messageType, lastEventId: id, data }: SseMessage): void {
    // Comments, such as heartbeats, have no data.
    if (data === '') return;
    if (messageType !== '') {
      this.errors.push(`unexpected ${messageType} message after event ${this.position}`);
      return;
    }
    const parsed: Record<string, unknown> = JSON.parse(data);
    if (String(parsed['id']) !== id) this.errors.push(`event ${id} has the ID ${String(parsed['id'])} in its data`);
    const type = String(parsed['type']);
    this.events.push({
      id: Number(id),
      type,
      subject: String(parsed[type.split('.')[0] ?? '']),
      receivedAtMs: Date.now(),
      event: parsed,
    });
  }
}
