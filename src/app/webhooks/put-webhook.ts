import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/accounts/account.ts';
import { validateWebhookUrl } from '../../domain/addresses/url-validation.ts';
import type { AppError, FieldError } from '../../domain/errors.ts';
import { invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { webhookLocation } from '../../domain/secret.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import {
  decryptTarget,
  expandEventTypes,
  initialProgress,
  resetProgress,
} from '../../domain/webhooks/webhook.ts';
import { newId } from '../../lib/new-id.ts';
import { change } from '../change.ts';
import type { ExpectedRevision } from '../expected-revision.ts';
import { differentContent, revisionProblem } from '../expected-revision.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import type { ReadableWebhook } from './read-webhooks.ts';
import { readable } from './read-webhooks.ts';

export interface WebhookRequest {
  readonly name: RecordName;
  readonly url: Secret;
  readonly secret: Secret;
  readonly events: readonly string[];
  readonly expected: ExpectedRevision | undefined;
}

function problemsOf({ url, events }: WebhookRequest, allowsPrivate: boolean): readonly FieldError[] {
  const urlProblem = validateWebhookUrl(url.reveal(), allowsPrivate);
  const unknown = events.flatMap((pattern, index) =>
    expandEventTypes([pattern]).length > 0
      ? []
      : [
          {
            path: `/events/${index}`,
            message: 'must be an event type such as host.status, a group such as host.*, or * for all events',
          },
        ],
  );
  return [...(urlProblem === undefined ? [] : [{ path: '/url', message: urlProblem }]), ...unknown];
}

/** Creates a webhook, finds it there as it shall be, or replaces the one that is expected. It begins with what happens from now on. */
export async function putWebhook(
  ports: Ports,
  actor: Actor,
  request: WebhookRequest,
): Promise<PutResult<ReadableWebhook> | AppError> {
  const { name, url, secret, events, expected } = request;
  const { vault, store, settleLog } = ports;
  const problems = problemsOf(request, ports.webhooks.allowsPrivate);
  if (problems.length > 0) return invalidBody(...problems);
  // What has happened by now has its place in the log before the position of a new one.
  if ((await store.reads.webhooks.get(name)) === undefined) await settleLog();

  return change(ports, actor, async ({ records, tell, now }) => {
    const wanted: Webhook = {
      name,
      sealedUrl: await vault.seal(url, webhookLocation(name, 'url'), records.dataKeys),
      sealedSecret: await vault.seal(secret, webhookLocation(name, 'secret'), records.dataKeys),
      events,
      revision: newId(),
      createdAt: now(),
      progress: initialProgress((await records.log.state()).lastId),
      claimedUntilMs: 0,
      // Ahead of one of the same name that was removed: whoever still has that one must not write to this one.
      fence: await records.nowMs(),
    };
    const current = expected
      ? await records.webhooks.lock(name)
      : await records.webhooks.insertOrLock(wanted);
    const problem = revisionProblem(expected, current);
    if (problem) return problem;
    const happened = { subject: name, data: { events } };
    if (current === undefined) {
      await tell({ type: 'webhook.created', ...happened });
      return { record: await readable(ports, records, wanted), isNew: true };
    }
    const before = await decryptTarget(ports.vault, records.dataKeys, current);
    if (before.url.equals(url) && before.secret.equals(secret) && isDeepStrictEqual(current.events, events))
      return { record: await readable(ports, records, current), isNew: false };
    if (expected === undefined) return differentContent(`the webhook ${name}`);
    const { createdAt, fence } = current;
    const changed = { ...wanted, createdAt, fence, progress: resetProgress(current.progress) };
    await records.webhooks.update(changed);
    await tell({ type: 'webhook.changed', ...happened });
    return { record: await readable(ports, records, changed), isNew: false };
  });
}
