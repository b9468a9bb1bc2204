import { WebhookReceiver } from '../events/webhook-receiver.ts';
import type { ResponseFault } from '../faults.ts';
import { waitUntil } from '../wait-until.ts';
import type { AdminClient } from './admin-client.ts';
import type { EventReader } from './event-reader.ts';

const WEBHOOK_NAME = 'post';
const EVENT_TYPES = ['operation.started', 'operation.ended', 'host.created', 'host.removed'];
/** After each failure the webhook waits at least one second. */
const FAILURE_INTERVAL_MS = 10_000;
const FAULTS: readonly ResponseFault[] = [{ status: 503 }, 'cut_response', { status: 500 }];
const DELIVERY_TIMEOUT_MS = 120_000;

/** A webhook with a receiver that fails regularly. */
export class WebhookLoad {
  readonly #receiver: WebhookReceiver;
  readonly #failureTimer: NodeJS.Timeout;

  private constructor(receiver: WebhookReceiver) {
    this.#receiver = receiver;
    let failures = 0;
    this.#failureTimer = setInterval(() => {
      failures += 1;
      receiver.replies.push(FAULTS[failures % FAULTS.length] ?? 503);
    }, FAILURE_INTERVAL_MS);
  }

  static async open(admin: AdminClient): Promise<WebhookLoad> {
    const receiver = await WebhookReceiver.start();
    const body = { url: `${receiver.url}/events`, secret: WEBHOOK_NAME, events: EVENT_TYPES };
    await admin.requestUntilDone(`webhook/${WEBHOOK_NAME}`, { method: 'PUT', body });
    return new WebhookLoad(receiver);
  }

  get received(): number {
    return this.#receiver.received.length;
  }

  /** Compares the deliveries with the events of the reader, from the first delivered event on. */
  async checkDelivery(reader: EventReader): Promise<readonly string[]> {
    clearInterval(this.#failureTimer);
    const first = this.#receiver.ids[0] ?? Number.POSITIVE_INFINITY;
    const expected = reader.events.filter(({ id, type }) => id >= first && EVENT_TYPES.includes(type));
    const last = expected.at(-1)?.id ?? 0;
    const hasAll = () => this.#receiver.ids.includes(last);
    await waitUntil('the last message', hasAll, DELIVERY_TIMEOUT_MS).catch(() => {});
    const arrived = [...new Set(this.#receiver.ids)];
    const arrivedIds = new Set(arrived);
    const missing = expected.filter(({ id }) => !arrivedIds.has(id));
    const outOfOrder = arrived.filter((id, index) => id < (arrived[index - 1] ?? 0));
    return [
      ...(arrived.length > 0 ? [] : ['the webhook received nothing']),
      ...missing.map(({ id }) => `event ${id} was not sent to the webhook`),
      ...outOfOrder.map(id => `event ${id} was sent to the webhook after a later one`),
    ];
  }

  async close(): Promise<void> {
    clearInterval(this.#failureTimer);
    await this.#receiver.stop();
  }
}
