import type { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { CheckEvent } from '../../domain/webhooks/webhook-message.ts';
import { answerProblem, webhookMessage } from '../../domain/webhooks/webhook-message.ts';
import { openReceiver } from '../../domain/webhooks/webhook-receiver.ts';
import type { Ports } from '../ports.ts';
import { unknownWebhook } from './read-webhooks.ts';

export interface CheckedWebhook {
  readonly name: RecordName;
  /** What the receiver answered; null: nothing. */
  readonly status: number | null;
  readonly problems: readonly string[];
}

/** Sends one message to try it out, and waits for the answer. Nothing is changed here, also when it is disabled. */
export async function checkWebhook(ports: Ports, name: RecordName): Promise<CheckedWebhook | Refusal> {
  const { store, clock, vault } = ports;
  const webhook = await store.reads.webhooks.get(name);
  if (webhook === undefined) return unknownWebhook(name);
  const { url, secret } = await openReceiver(vault, store.reads.dataKeys, webhook);
  const nowMs = clock.now();
  const nothing = { cluster: null, host: null, operation: null, data: {} };
  const event: CheckEvent = { id: 0, type: 'webhook.test', at: formatTimestamp(nowMs), ...nothing };
  const answer = await ports.webhooks.post(url, webhookMessage({ name, secret }, event, nowMs));
  const problem = answerProblem(answer);
  const status = 'status' in answer ? answer.status : null;
  return { name, status, problems: problem === undefined ? [] : [problem] };
}
