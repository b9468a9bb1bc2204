import { AppError } from '../../domain/errors.ts';
import type { PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { decryptTarget, expandEventTypes } from '../../domain/webhooks/webhook.ts';
import type { Reads } from '../../store/records.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';

/** No more are counted. */
export const MOST_BEHIND = 10_000;

/** A webhook as people see it: with its URL, without its secret. */
export interface ReadableWebhook {
  readonly webhook: Webhook;
  readonly url: string;
  /** Number of events to send. */
  readonly pending: number;
}

export const unknownWebhook = (name: RecordName) =>
  new AppError('not_found', `the webhook ${name} does not exist`);

export async function readable(
  { vault }: Pick<Ports, 'vault'>,
  { dataKeys, log }: Pick<Reads, 'dataKeys' | 'log'>,
  webhook: Webhook,
): Promise<ReadableWebhook> {
  const { url } = await decryptTarget(vault, dataKeys, webhook);
  const types = expandEventTypes(webhook.events);
  const pending = await log.countAfter(webhook.progress.position, types, MOST_BEHIND);
  return { webhook, url: url.reveal(), pending };
}

export const listWebhooks = ({ store }: Ports, page: PageRequest<RecordName>) =>
  listRecords(
    store,
    page,
    (reads, part) => reads.webhooks.names(part),
    name => name,
  );

export async function getWebhook(ports: Ports, name: RecordName): Promise<ReadableWebhook | AppError> {
  const webhook = await ports.store.reads.webhooks.get(name);
  return webhook === undefined ? unknownWebhook(name) : readable(ports, ports.store.reads, webhook);
}
