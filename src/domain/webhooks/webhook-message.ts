import { createHmac } from 'node:crypto';
import type { Event } from '../../contract/event-payloads.ts';
import type { RecordName } from '../record-name.ts';
import type { Secret } from '../secret.ts';

export interface WebhookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

export const RESPONSE_TIMEOUT_MS = 10_000;

/** Waits up to `RESPONSE_TIMEOUT_MS` for the complete response. A returned problem does not contain the URL. */
export type SendWebhook = (
  url: Secret,
  message: WebhookMessage,
  signal?: AbortSignal,
) => Promise<WebhookResponse | { readonly problem: string }>;

/** Not in the event log. */
export type TestEvent = Omit<Event, 'type'> & { readonly type: 'webhook.test' };

/** The signature covers the time and the body, so the receiver can verify the sender and reject old messages. */
export function webhookMessage(
  { name, secret }: { readonly name: RecordName; readonly secret: Secret },
  event: Event | TestEvent,
  nowMs: number,
): WebhookMessage {
  const body = JSON.stringify(event);
  const unixS = Math.floor(nowMs / 1000);
  const signature = createHmac('sha256', secret.reveal()).update(`${unixS}.${body}`).digest('hex');
  return {
    headers: {
      'content-type': 'application/json',
      'hostler-signature': `t=${unixS},v1=${signature}`,
      'hostler-event': String(event.id),
      'hostler-webhook': name,
    },
    body,
  };
}

/** Redirects are errors. */
export function checkResponse(response: Awaited<ReturnType<SendWebhook>>): string | undefined {
  if ('problem' in response) return response.problem;
  const { status } = response;
  return status >= 200 && status < 300 ? undefined : `the receiver responded with status ${status}`;
}

/** RFC 9110: `Tue, 01 Jan 2030 00:01:00 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
