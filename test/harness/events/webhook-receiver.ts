import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Event } from '../../../src/contract/event-payloads.ts';
import type { ResponseFault } from '../faults.ts';
import { applyFault } from '../http/apply-fault.ts';
import { listen } from '../http/sockets.ts';

/** A number is a status. */
export type Reply = number | ResponseFault;

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Event;
}

/** Verifies the signature as docs/guides/webhooks.md describes. */
export function isSignatureValid({ headers, body }: ReceivedMessage, secret: string, nowS: number): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['hostler-signature'])) ?? [];
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  const given = Buffer.from(v1, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected) && Math.abs(nowS - Number(t)) <= 300;
}

/** A webhook receiver on loopback. It accepts all messages by default. */
export class WebhookReceiver {
  readonly received: ReceivedMessage[] = [];
  /** Replies to the next messages. */
  readonly replies: Reply[] = [];
  /** Used when `replies` is empty. */
  defaultReply: Reply = 200;
  /** Whether a request is left unanswered. */
  hasPendingRequest = false;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await listen(receiver.#server);
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get ids(): readonly number[] {
    return this.received.map(({ event }) => event.id);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.received.push({ path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) });
    const reply = this.replies.shift() ?? this.defaultReply;
    if (typeof reply === 'number') response.writeHead(reply).end('x'.repeat(100));
    else applyFault(response, reply);
    if (reply === 'hang_response' || reply === 'endless_response') this.hasPendingRequest = true;
  }
}
