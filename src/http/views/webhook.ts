import type { Static } from 'typebox';
import type { ReadableWebhook } from '../../app/webhooks/read-webhooks.ts';
import type { Webhook } from '../../contract/routes/webhooks.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import { webhookState } from '../../domain/webhooks/webhook.ts';

export function viewWebhook({ webhook, url, pending }: ReadableWebhook): Static<typeof Webhook> {
  const { name, events, createdAt, progress } = webhook;
  const state = webhookState(progress);
  return {
    name,
    url,
    events: [...events],
    state,
    position: progress.position,
    pending,
    attempts: progress.attempts,
    next_attempt_at: state === 'failing' ? formatTimestamp(progress.dueAtMs) : null,
    failing_since: progress.failingSinceMs === null ? null : formatTimestamp(progress.failingSinceMs),
    problem: progress.problem,
    delivered_id: progress.deliveredId,
    delivered_at: progress.deliveredAt,
    disabled_at: progress.disabledAt,
    created_at: createdAt,
  };
}
