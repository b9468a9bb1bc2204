import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { CONFIRM_WITHIN_MS } from '../../../domain/rollout/outage.ts';
import type { Claim, ClaimRelease, ContactResult } from '../../../domain/tasks/host-queue.ts';
import { OFFSETS_PER_INTERVAL } from '../../../domain/tasks/host-queue.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery, Repository } from '../../sql-session.ts';
import { forUpdate, queryInChunks, withLimit } from '../query-building.ts';

const bigint = (value: number) => sql<number>`cast(${value} as bigint)`;

/** The first time at or after `base` that matches the check offset of the host. */
export const nextCheckTime = (base: number, intervalMs: number) => {
  const [from, interval] = [bigint(base), bigint(intervalMs)];
  const offset = sql`(check_offset * ${interval} / ${sql.lit(OFFSETS_PER_INTERVAL)})`;
  return sql<number>`${from} + ((${offset} - ${from}) % ${interval} + ${interval}) % ${interval}`;
};

/** At least half an interval later, so a late check is not followed by another one immediately. */
const nextCheckTimeAfter = (now: number, intervalMs: number) =>
  nextCheckTime(now + Math.floor(intervalMs / 2), intervalMs);

type Claimant = { readonly owner: string; readonly now: number };

/** Claims due hosts without an owner. Claims nothing if the lease of `owner` has expired. */
const claimQuery = (column: 'task_due_at' | 'check_due_at') =>
  prepareQuery(({ db, engine }: SqlSession, { owner, now, limit }: Claimant & { limit: number }) => {
    const due = withLimit(
      db.selectFrom('host_queue').select('host').where(column, '<=', now).where('owner', 'is', null).orderBy(column),
      limit,
    );
    const liveServer = db
      .selectFrom('servers')
      .select('incarnation')
      .where('incarnation', '=', owner)
      .where('lease_expires_at', '>', now);
    return db
      .updateTable('host_queue')
      .set(({ eb }) => ({ owner, fence: eb('fence', '+', 1) }))
      .where('host', 'in', engine.hasRowLocks ? due.forUpdate().skipLocked() : due)
      .where(({ exists }) => exists(liveServer))
      .returning(['host', 'fence', 'check_failures as failures', 'facts_due_at']);
  });

const CLAIM_QUERIES = { task: claimQuery('task_due_at'), check: claimQuery('check_due_at') };

type ClaimKey = { readonly host: Address; readonly owner: string; readonly fence: number };

const lockClaim = prepareQuery(({ db, engine }: SqlSession, { host, owner, fence }: ClaimKey) =>
  forUpdate(
    engine,
    db
      .selectFrom('host_queue')
      .select('host')
      .where('host', '=', host)
      .where('owner', '=', owner)
      .where('fence', '=', fence),
  ),
);

function nextCheckAt(check: ClaimRelease['nextCheck'], now: number, intervalMs: number) {
  if (check === 'none') return null;
  if (check === 'unchanged') return sql<number>`coalesce(check_due_at, ${nextCheckTimeAfter(now, intervalMs)})`;
  return check === 'next_interval' ? nextCheckTimeAfter(now, intervalMs) : check.at;
}

function contactColumns(result: ContactResult, now: number) {
  if (result === 'responded') return { responded_at: now, failing_since: null, contact_failures: 0 };
  const isRecent = sql<boolean>`failed_at >= ${sql.val(now - CONFIRM_WITHIN_MS)}`;
  return {
    failing_since: sql<number>`coalesce(failing_since, cast(${now} as bigint))`,
    failed_at: now,
    contact_failures: sql<number>`case when ${isRecent} then contact_failures + 1 else 1 end`,
  };
}

/** The claims of servers on hosts. Times are milliseconds of the store's clock. */
export class ClaimRepository extends Repository {
  /** Longest due first. */
  async claimDue(kind: keyof typeof CLAIM_QUERIES, { owner, now }: Claimant, limit: number): Promise<readonly Claim[]> {
    const rows = await CLAIM_QUERIES[kind](this.session, { owner, now, limit });
    return rows.map(({ facts_due_at, ...row }) => ({ ...row, isFactsDue: facts_due_at <= now }));
  }

  /** Returns whether the claim is current. If so, it is locked until the transaction ends. */
  async lockIfCurrent({ host, fence }: Pick<Claim, 'host' | 'fence'>, owner: string): Promise<boolean> {
    this.session.lockOrder.assertNext('host_queue', host);
    return (await lockClaim(this.session, { host, owner, fence })).length > 0;
  }

  /** The claim must be locked. */
  async release(host: Address, release: ClaimRelease, now: number, intervalMs: number): Promise<void> {
    const { taskDueAt, nextCheck, failures, factsDueAt, contact, contactAgeMs = 0 } = release;
    await this.db
      .updateTable('host_queue')
      .set({
        owner: null,
        check_due_at: nextCheckAt(nextCheck, now, intervalMs),
        task_due_at: taskDueAt,
        check_failures: failures,
        facts_due_at: factsDueAt,
        ...(contact && contactColumns(contact, now - contactAgeMs)),
      })
      .where('host', '=', host)
      .execute();
  }

  async recordContact(host: Address, result: ContactResult, now: number): Promise<void> {
    await this.db.updateTable('host_queue').set(contactColumns(result, now)).where('host', '=', host).execute();
  }

  /** Releases the claims on hosts whose check found no change. Returns the hosts that the owner still had. */
  async releaseHealthy(
    hosts: readonly Address[],
    { owner, now }: Claimant,
    intervalMs: number,
  ): Promise<readonly Address[]> {
    const rows = await queryInChunks(hosts, chunk =>
      this.db
        .updateTable('host_queue')
        .set({
          owner: null,
          check_failures: 0,
          check_due_at: nextCheckTimeAfter(now, intervalMs),
          ...contactColumns('responded', now),
        })
        .where('host', 'in', chunk)
        .where('owner', '=', owner)
        .returning('host')
        .execute(),
    );
    return rows.map(row => row.host);
  }

  async releaseExpired(now: number): Promise<void> {
    const { db } = this;
    const alive = db.selectFrom('servers').select('incarnation').where('lease_expires_at', '>', now);
    await db
      .updateTable('host_queue')
      .set({ owner: null })
      .where('owner', 'is not', null)
      .where('owner', 'not in', alive)
      .execute();
  }

  async releaseAll(owner: string): Promise<void> {
    await this.db.updateTable('host_queue').set({ owner: null }).where('owner', '=', owner).execute();
  }

  /** Releases the claims of `owner` on these hosts. The hosts that other servers have claimed since are unchanged. */
  async releaseHosts(hosts: readonly Address[], owner: string): Promise<void> {
    this.session.signals.add('due');
    await queryInChunks(hosts, chunk =>
      this.db
        .updateTable('host_queue')
        .set({ owner: null })
        .where('host', 'in', chunk)
        .where('owner', '=', owner)
        .returning('host')
        .execute(),
    );
  }
}
