import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../domain/accounts/account.ts';
import { validateWebhookUrl } from '../domain/addresses/url-validation.ts';
import type { FieldError } from '../domain/errors.ts';
import { AppError, invalidBody } from '../domain/errors.ts';
import type { PageRequest } from '../domain/page.ts';
import type { RecordName } from '../domain/record-name.ts';
import type { Secret } from '../domain/secret.ts';
import { webhookLocation } from '../domain/secret.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import {
  decryptTarget,
  expandEventTypes,
  initialProgress,
  resetProgress,
  webhookState,
} from '../domain/webhooks/webhook.ts';
import type { TestEvent } from '../domain/webhooks/webhook-message.ts';
import { checkResponse, webhookMessage } from '../domain/webhooks/webhook-message.ts';
import { newId } from '../lib/random.ts';
import type { ReadRepositories } from '../store/repositories/index.ts';
import { listRecords } from './pagination.ts';
import type { Ports } from './ports.ts';
import type { ExpectedRevision, PutResult } from './unit-of-work.ts';
import { checkRevision, differentContent, runUnitOfWork } from './unit-of-work.ts';

const MAX_PENDING_COUNTED = 10_000;

/** Without the secret. */
export interface WebhookDetails {
  readonly webhook: Webhook;
  readonly url: string;
  /** At most `MAX_PENDING_COUNTED`. */
  readonly pending: number;
}

export const webhookNotFound = (name: RecordName) => new AppError('not_found', `the webhook ${name} does not exist`);

async function toWebhookDetails(
  { vault }: Pick<Ports, 'vault'>,
  { dataKeys, eventLog }: Pick<ReadRepositories, 'dataKeys' | 'eventLog'>,
  webhook: Webhook,
): Promise<WebhookDetails> {
  const { url } = await decryptTarget(vault, dataKeys, webhook);
  const types = expandEventTypes(webhook.events);
  const pending = await eventLog.countAfter(webhook.progress.position, types, MAX_PENDING_COUNTED);
  return { webhook, url: url.reveal(), pending };
}

export const listWebhooks = ({ store }: Ports, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, batch) => reads.webhooks.listNames(batch),
    name => name,
  );

export async function getWebhook(ports: Ports, name: RecordName): Promise<WebhookDetails | AppError> {
  const webhook = await ports.store.reads.webhooks.get(name);
  return webhook === undefined ? webhookNotFound(name) : toWebhookDetails(ports, ports.store.reads, webhook);
}

export interface WebhookRequest {
  readonly name: RecordName;
  readonly url: Secret;
  readonly secret: Secret;
  readonly events: readonly string[];
  readonly expected: ExpectedRevision | undefined;
}

function validateWebhook({ url, events }: WebhookRequest, allowsPrivate: boolean): readonly FieldError[] {
  const urlError = validateWebhookUrl(url.reveal(), allowsPrivate);
  const patternErrors = events.flatMap((pattern, index) =>
    expandEventTypes([pattern]).length > 0
      ? []
      : [
          {
            path: `/events/${index}`,
            message: 'must be an event type such as host.status, a group such as host.*, or * for all events',
          },
        ],
  );
  return [...(urlError === undefined ? [] : [{ path: '/url', message: urlError }]), ...patternErrors];
}

/** A new webhook starts with the next event. */
export async function putWebhook(
  ports: Ports,
  actor: Actor,
  request: WebhookRequest,
): Promise<PutResult<WebhookDetails> | AppError> {
  const { name, url, secret, events, expected } = request;
  const { vault, store, flushEventLog } = ports;
  const errors = validateWebhook(request, ports.webhooks.allowsPrivate);
  if (errors.length > 0) return invalidBody(...errors);
  // Earlier events must have their IDs before the start position of the new webhook is read.
  if ((await store.reads.webhooks.get(name)) === undefined) await flushEventLog();

  return runUnitOfWork(ports, actor, async ({ records, emit, now }) => {
    const desired: Webhook = {
      name,
      sealedUrl: await vault.seal(url, webhookLocation(name, 'url'), records.dataKeys),
      sealedSecret: await vault.seal(secret, webhookLocation(name, 'secret'), records.dataKeys),
      events,
      revision: newId(),
      createdAt: now(),
      progress: initialProgress((await records.eventLog.getState()).lastId),
      claimedUntilMs: 0,
      // Higher than the fence of a removed webhook with the same name, so its worker cannot write to this one.
      fence: await records.nowMs(),
    };
    const current = expected ? await records.webhooks.lock(name) : await records.webhooks.insertOrLock(desired);
    const error = checkRevision(expected, current);
    if (error) return error;
    const eventFields = { subject: name, data: { events } };
    if (current === undefined) {
      await emit({ type: 'webhook.created', ...eventFields });
      return { record: await toWebhookDetails(ports, records, desired), isNew: true };
    }
    const previous = await decryptTarget(ports.vault, records.dataKeys, current);
    if (previous.url.equals(url) && previous.secret.equals(secret) && isDeepStrictEqual(current.events, events))
      return { record: await toWebhookDetails(ports, records, current), isNew: false };
    if (expected === undefined) return differentContent(`the webhook ${name}`);
    const { createdAt, fence } = current;
    const changed = { ...desired, createdAt, fence, progress: resetProgress(current.progress) };
    await records.webhooks.update(changed);
    await emit({ type: 'webhook.changed', ...eventFields });
    return { record: await toWebhookDetails(ports, records, changed), isNew: false };
  });
}

/** Succeeds if the webhook does not exist. A delivery in progress may still arrive. */
export async function removeWebhook(
  ports: Ports,
  actor: Actor,
  { name, expected }: { name: RecordName; expected: ExpectedRevision | undefined },
): Promise<undefined | AppError> {
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const current = await records.webhooks.lock(name);
    const error = checkRevision(expected, current);
    if (error || current === undefined) return error;
    await records.webhooks.remove(name);
    await emit({ type: 'webhook.removed', subject: name });
    return undefined;
  });
}

/** At once, from the current position. An active webhook does not change. */
export async function resumeWebhook(ports: Ports, actor: Actor, name: RecordName): Promise<WebhookDetails | AppError> {
  return runUnitOfWork(ports, actor, async ({ records, emit }) => {
    const current = await records.webhooks.lock(name);
    if (current === undefined) return webhookNotFound(name);
    if (webhookState(current.progress) === 'active') return toWebhookDetails(ports, records, current);
    const resumed = { ...current, progress: resetProgress(current.progress) };
    await records.webhooks.update(resumed);
    await emit({ type: 'webhook.resumed', subject: name });
    return toWebhookDetails(ports, records, resumed);
  });
}

export interface WebhookTestResult {
  readonly name: RecordName;
  readonly status: number | null;
  readonly problems: readonly string[];
}

/** Also to a disabled webhook. Does not change the webhook. */
export async function testWebhook(ports: Ports, name: RecordName): Promise<WebhookTestResult | AppError> {
  const { store, clock, vault } = ports;
  const webhook = await store.reads.webhooks.get(name);
  if (webhook === undefined) return webhookNotFound(name);
  const { url, secret } = await decryptTarget(vault, store.reads.dataKeys, webhook);
  const nowMs = clock.now();
  const emptyFields = { cluster: null, host: null, operation: null, data: {} };
  const event: TestEvent = { id: 0, type: 'webhook.test', at: formatTimestamp(nowMs), ...emptyFields };
  const response = await ports.webhooks.send(url, webhookMessage({ name, secret }, event, nowMs));
  const problem = checkResponse(response);
  const status = 'status' in response ? response.status : null;
  return { name, status, problems: problem === undefined ? [] : [problem] };
}
