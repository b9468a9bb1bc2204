import type { ServerResponse } from 'node:http';
import type { LogEntry } from '../../domain/events/event-log.ts';
import type { EventReset, EventSink } from '../../domain/events/event-subscription.ts';
import type { OutputNotification } from '../../domain/events/signal.ts';
import { eventJson, hintJson } from '../views/event.ts';

/** How long a browser waits before it connects again. The comment makes proxies send what there is. */
const GREETING = 'retry: 2000\n: stream open\n\n';

const batches = new WeakMap<readonly LogEntry[], Buffer>();

/** The messages of a list, written once for all who are given that list. They have no type, so that `onmessage` gets all. */
function messagesOf(entries: readonly LogEntry[]): Buffer {
  const known = batches.get(entries);
  if (known) return known;
  const messages = Buffer.from(
    entries.map(entry => `id: ${entry.id}\ndata: ${eventJson(entry)}\n\n`).join(''),
  );
  batches.set(entries, messages);
  return messages;
}

const hintLists = new WeakMap<readonly OutputNotification[], Buffer>();

/** The same of hints. They have no number, so whoever comes back goes on after the last event. */
function hintMessagesOf(hints: readonly OutputNotification[]): Buffer {
  const known = hintLists.get(hints);
  if (known) return known;
  const messages = Buffer.from(hints.map(hint => `event: output\ndata: ${hintJson(hint)}\n\n`).join(''));
  hintLists.set(hints, messages);
  return messages;
}

/** Events as Server-Sent Events, for one client. */
export class EventStream implements EventSink {
  readonly #response: ServerResponse;

  /** The head is written already. */
  constructor(response: ServerResponse) {
    this.#response = response;
    response.write(GREETING);
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  sendEvents(entries: readonly LogEntry[]): void {
    this.#response.write(messagesOf(entries));
  }

  sendOutputNotifications(hints: readonly OutputNotification[]): void {
    this.#response.write(hintMessagesOf(hints));
  }

  reset({ after, position }: EventReset): void {
    const data = JSON.stringify({ type: 'reset', after, position });
    this.#response.write(`event: reset\nid: ${position}\ndata: ${data}\n\n`);
  }

  /** A message without data is no event, but moves on the number that a browser comes back with. */
  sendHeartbeat(position: number | undefined): void {
    this.#response.write(position === undefined ? ':\n\n' : `:\nid: ${position}\n\n`);
  }

  whenWritable(): Promise<void> {
    const response = this.#response;
    if (!response.writableNeedDrain) return Promise.resolve();
    return new Promise(resolve => {
      const goOn = () => {
        response.off('drain', goOn).off('close', goOn);
        resolve();
      };
      response.on('drain', goOn).on('close', goOn);
    });
  }

  onClosed(callback: () => void): void {
    if (this.#response.closed) callback();
    else this.#response.once('close', callback);
  }

  /** Who does not read is not waited for. */
  end(): void {
    if (this.bufferedBytes > 0) this.abort();
    else this.#response.end();
  }

  abort(): void {
    this.#response.destroy();
  }
}
