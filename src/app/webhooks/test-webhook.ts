import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { decryptTarget } from '../../domain/webhooks/webhook.ts';
import type { TestEvent } from '../../domain/webhooks/webhook-message.ts';
import { checkResponse, webhookMessage } from '../../domain/webhooks/webhook-message.ts';
import type { Ports } from '../ports.ts';
import { unknownWebhook } from './read-webhooks.ts';

export interface WebhookTestResult {
  readonly name: RecordName;
  /** HTTP status of the response; null: the receiver did not respond. */
  readonly status: number | null;
  readonly problems: readonly string[];
}

/** Sends one test event, also to a disabled webhook, and waits for the response. Does not change the webhook. */
export async function testWebhook(ports: Ports, name: RecordName): Promise<WebhookTestResult | AppError> {
  const { store, clock, vault } = ports;
  const webhook = await store.reads.webhooks.get(name);
  if (webhook === undefined) return unknownWebhook(name);
  const { url, secret } = await decryptTarget(vault, store.reads.dataKeys, webhook);
  const nowMs = clock.now();
  const nothing = { cluster: null, host: null, operation: null, data: {} };
  const event: TestEvent = { id: 0, type: 'webhook.test', at: formatTimestamp(nowMs), ...nothing };
  const answer = await ports.webhooks.post(url, webhookMessage({ name, secret }, event, nowMs));
  const problem = checkResponse(answer);
  const status = 'status' in answer ? answer.status : null;
  return { name, status, problems: problem === undefined ? [] : [problem] };
}
