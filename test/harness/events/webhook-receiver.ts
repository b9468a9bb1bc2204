import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Event } from '../../../src/domain/events/event-log.ts';
import { listen } from '../listen.ts';

/** What it does with a message: answers a status, or behaves badly. */
export type Reply =
  | number
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** Never answers. */
  | 'hang'
  /** Cuts the connection. */
  | 'cut'
  /** Answers 200, and then a body that never ends. */
  | 'endless';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Event;
}

/** Verifies a message in the way that docs/guides/webhooks.md tells receivers to. */
export function isGenuine({ headers, body }: Received, secret: string, nowS: number): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['hostler-signature'])) ?? [];
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  const given = Buffer.from(v1, 'hex');
  return (
    given.length === expected.length && timingSafeEqual(given, expected) && Math.abs(nowS - Number(t)) <= 300
  );
}

/** A receiver of webhooks on loopback. It takes everything in until it is told otherwise. */
export class WebhookReceiver {
  readonly got: Received[] = [];
  /** What it does with the next messages; then 200 again. */
  readonly replies: Reply[] = [];
  /** What it does when there is nothing in `replies`. */
  always: Reply = 200;
  /** Whether a message is kept waiting. */
  isHolding = false;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await listen(receiver.#server);
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get ids(): readonly number[] {
    return this.got.map(({ event }) => event.id);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.got.push({ path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) });
    const reply = this.replies.shift() ?? this.always;
    if (reply === 'cut') request.socket.destroy();
    else if (typeof reply === 'number') response.writeHead(reply).end('x'.repeat(100));
    else if (typeof reply === 'object') response.writeHead(reply.status, reply.headers).end();
    else {
      if (reply === 'endless') response.writeHead(200).write('more and more');
      this.isHolding = true;
    }
  }
}
