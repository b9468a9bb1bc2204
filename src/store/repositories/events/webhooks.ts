import type { Selectable } from 'kysely';
import type { Page, PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { Webhook, WebhookClaim, WebhookProgress } from '../../../domain/webhooks/webhook.ts';
import { Repository } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import { forUpdate, insertIfAbsent, insertOrLock, toPage, toPageParams, withLimit } from '../query-building.ts';

type Row = Selectable<Tables['webhooks']>;

const toProgress = (row: Row): WebhookProgress => ({
  position: row.position,
  attempts: row.attempts,
  dueAtMs: row.due_at,
  failingSinceMs: row.failing_since,
  problem: row.problem,
  disabledAt: row.disabled_at,
  deliveredId: row.delivered_id,
  deliveredAt: row.delivered_at,
});

const toWebhook = (row: Row): Webhook => ({
  name: row.name,
  sealedUrl: row.sealed_url,
  sealedSecret: row.sealed_secret,
  events: JSON.parse(row.events_json),
  revision: row.revision,
  createdAt: row.created_at,
  progress: toProgress(row),
  claimedUntilMs: row.claimed_until,
  fence: row.fence,
});

const toProgressColumns = (progress: WebhookProgress) => ({
  position: progress.position,
  attempts: progress.attempts,
  due_at: progress.dueAtMs,
  failing_since: progress.failingSinceMs,
  problem: progress.problem,
  disabled_at: progress.disabledAt,
  delivered_id: progress.deliveredId,
  delivered_at: progress.deliveredAt,
});

const toRow = (webhook: Webhook): Row => ({
  name: webhook.name,
  sealed_url: webhook.sealedUrl,
  sealed_secret: webhook.sealedSecret,
  events_json: JSON.stringify(webhook.events),
  revision: webhook.revision,
  created_at: webhook.createdAt,
  ...toProgressColumns(webhook.progress),
  claimed_until: webhook.claimedUntilMs,
  fence: webhook.fence,
});

export class WebhookRepository extends Repository {
  async get(name: RecordName): Promise<Webhook | undefined> {
    const row = await this.#select(name).executeTakeFirst();
    return row && toWebhook(row);
  }

  async listNames(page: PageRequest<RecordName>): Promise<Page<RecordName>> {
    const all = this.db.selectFrom('webhooks').select('name').orderBy('name');
    const { after, limit } = toPageParams(page);
    const query = withLimit(after === undefined ? all : all.where('name', '>', after), limit);
    return toPage(await query.execute(), page, row => row.name);
  }

  async listEnabled(): Promise<readonly Webhook[]> {
    const rows = await this.db
      .selectFrom('webhooks')
      .selectAll()
      .where('disabled_at', 'is', null)
      .orderBy('due_at')
      .orderBy('name')
      .execute();
    return rows.map(toWebhook);
  }

  async lock(name: RecordName): Promise<Webhook | undefined> {
    this.session.lockOrder.assertNext('webhook', name);
    const row = await forUpdate(this.session.engine, this.#select(name)).executeTakeFirst();
    return row && toWebhook(row);
  }

  insertOrLock(webhook: Webhook): Promise<Webhook | undefined> {
    return insertOrLock(
      () => this.lock(webhook.name),
      () => insertIfAbsent(this.db.insertInto('webhooks').values(toRow(webhook))),
    );
  }

  /** The webhook must be locked. The current claim is invalidated. */
  async update({ fence, ...webhook }: Webhook): Promise<void> {
    const { name, ...changes } = toRow({ ...webhook, claimedUntilMs: 0, fence: fence + 1 });
    await this.db.updateTable('webhooks').set(changes).where('name', '=', name).execute();
  }

  async remove(name: RecordName): Promise<void> {
    await this.db.deleteFrom('webhooks').where('name', '=', name).execute();
  }

  /** Returns `undefined` if another server has claimed the webhook, or it was changed. */
  async claim(name: RecordName, expected: WebhookClaim, claimedUntilMs: number): Promise<Webhook | undefined> {
    this.session.lockOrder.assertNext('webhook', name);
    const row = await this.db
      .updateTable('webhooks')
      .set({ claimed_until: claimedUntilMs, fence: expected.fence + 1 })
      .where('name', '=', name)
      .where('fence', '=', expected.fence)
      .where('claimed_until', '=', expected.claimedUntilMs)
      .where('disabled_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    return row && toWebhook(row);
  }

  /** Returns `false` without writing if the fence is stale. */
  async saveProgress(
    name: RecordName,
    { fence, claimedUntilMs }: WebhookClaim,
    progress: WebhookProgress,
  ): Promise<boolean> {
    this.session.lockOrder.assertNext('webhook', name);
    const { numUpdatedRows } = await this.db
      .updateTable('webhooks')
      .set({ ...toProgressColumns(progress), claimed_until: claimedUntilMs })
      .where('name', '=', name)
      .where('fence', '=', fence)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Only for a store with one server, whose previous process has ended. */
  async releaseStaleClaims(): Promise<void> {
    await this.db.updateTable('webhooks').set({ claimed_until: 0 }).where('claimed_until', '>', 0).execute();
  }

  #select(name: RecordName) {
    return this.db.selectFrom('webhooks').selectAll().where('name', '=', name);
  }
}
