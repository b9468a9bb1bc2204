import type { Actor } from '../../domain/accounts/account.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { resetProgress, webhookState } from '../../domain/webhooks/webhook.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import type { ReadableWebhook } from './read-webhooks.ts';
import { readable, unknownWebhook } from './read-webhooks.ts';

/** Retries a disabled or failing webhook at once, from its current position. An active webhook does not change. */
export async function resumeWebhook(
  ports: Ports,
  actor: Actor,
  name: RecordName,
): Promise<ReadableWebhook | AppError> {
  return change(ports, actor, async ({ records, tell }) => {
    const current = await records.webhooks.lock(name);
    if (current === undefined) return unknownWebhook(name);
    if (webhookState(current.progress) === 'active') return readable(ports, records, current);
    const resumed = { ...current, progress: resetProgress(current.progress) };
    await records.webhooks.update(resumed);
    await tell({ type: 'webhook.resumed', subject: name });
    return readable(ports, records, resumed);
  });
}
