import type { EventReader } from '../chaos/event-reader.ts';
import type { Reply } from '../events/webhook-receiver.ts';
import { WebhookReceiver } from '../events/webhook-receiver.ts';
import { until } from '../until.ts';
import type { Site } from './site.ts';

const NAME = 'post';
const WANTED = ['operation.started', 'operation.ended', 'host.created', 'host.removed'];
/** After each failure the webhook pauses for a second at least. */
const FAILS_EVERY_MS = 10_000;
const FAILURES: readonly Reply[] = [503, 'cut', 500];
const DELIVERED_WITHIN_MS = 120_000;

/** A webhook, whose receiver fails now and then. */
export class Post {
  readonly #receiver: WebhookReceiver;
  readonly #failing: NodeJS.Timeout;

  private constructor(receiver: WebhookReceiver) {
    this.#receiver = receiver;
    let failures = 0;
    this.#failing = setInterval(() => {
      failures += 1;
      receiver.replies.push(FAILURES[failures % FAILURES.length] ?? 503);
    }, FAILS_EVERY_MS);
  }

  static async open({ people }: Site): Promise<Post> {
    const receiver = await WebhookReceiver.start();
    const body = { url: `${receiver.url}/events`, secret: NAME, events: WANTED };
    await people.insist(`webhook/${NAME}`, { method: 'PUT', body });
    return new Post(receiver);
  }

  get received(): number {
    return this.#receiver.got.length;
  }

  /** What the reader has seen since the first that was delivered, and what has not arrived, or not in order. */
  async problems(reader: EventReader): Promise<readonly string[]> {
    clearInterval(this.#failing);
    const first = this.#receiver.ids[0] ?? Number.POSITIVE_INFINITY;
    const wanted = reader.events.filter(({ id, type }) => id >= first && WANTED.includes(type));
    const last = wanted.at(-1)?.id ?? 0;
    const hasAll = () => this.#receiver.ids.includes(last);
    await until('the last message', hasAll, DELIVERED_WITHIN_MS).catch(() => {});
    const arrived = [...new Set(this.#receiver.ids)];
    const known = new Set(arrived);
    const missing = wanted.filter(({ id }) => !known.has(id));
    const late = arrived.filter((id, index) => id < (arrived[index - 1] ?? 0));
    return [
      ...(arrived.length > 0 ? [] : ['the webhook got nothing']),
      ...missing.map(({ id }) => `event ${id} was not sent to the webhook`),
      ...late.map(id => `event ${id} was sent to the webhook after a later one`),
    ];
  }

  async close(): Promise<void> {
    clearInterval(this.#failing);
    await this.#receiver.stop();
  }
}
