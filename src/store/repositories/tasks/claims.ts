import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { CONFIRM_WITHIN_MS } from '../../../domain/rollout/outage.ts';
import type { Claim, ClaimRelease, ContactResult } from '../../../domain/tasks/host-queue.ts';
import { SLOTS_PER_INTERVAL } from '../../../domain/tasks/host-queue.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import { forUpdate, toChunks, withLimit } from '../query-building.ts';

const bigint = (value: number) => sql<number>`cast(${value} as bigint)`;

/** The first time from `base` on that a host's phase comes round. */
export const nextSlotTime = (base: number, intervalMs: number) => {
  const [from, interval] = [bigint(base), bigint(intervalMs)];
  const offset = sql`(check_offset * ${interval} / ${sql.lit(SLOTS_PER_INTERVAL)})`;
  return sql<number>`${from} + ((${offset} - ${from}) % ${interval} + ${interval}) % ${interval}`;
};

/** When a host that was checked now is checked next. A check that came late is not followed by another at once. */
export const nextSlotTimeAfterCheck = (now: number, intervalMs: number) =>
  nextSlotTime(now + Math.floor(intervalMs / 2), intervalMs);

/** Who claims, and at what time of the store. */
type Claimant = { readonly owner: string; readonly now: number };

/** Takes hosts that are due and that nobody has; nothing for an owner that others may have given up. */
const claimQuery = (column: 'task_due_at' | 'check_due_at') =>
  prepareQuery(({ db, engine }: SqlSession, { owner, now, limit }: Claimant & { limit: number }) => {
    const due = withLimit(
      db
        .selectFrom('host_queue')
        .select('host')
        .where(column, '<=', now)
        .where('owner', 'is', null)
        .orderBy(column),
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

function nextCheckAt(check: ClaimRelease['check'], now: number, intervalMs: number) {
  if (check === 'none') return null;
  if (check === 'unchanged')
    return sql<number>`coalesce(check_due_at, ${nextSlotTimeAfterCheck(now, intervalMs)})`;
  return check === 'next_slot' ? nextSlotTimeAfterCheck(now, intervalMs) : check.at;
}

/** What is stored of a contact with a host. */
function contactColumns(result: ContactResult, now: number) {
  if (result === 'answered') return { answered_at: now, silent_since: null, recent_failures: 0 };
  const isRecent = sql<boolean>`failed_at >= ${sql.val(now - CONFIRM_WITHIN_MS)}`;
  return {
    silent_since: sql<number>`coalesce(silent_since, cast(${now} as bigint))`,
    failed_at: now,
    recent_failures: sql<number>`case when ${isRecent} then recent_failures + 1 else 1 end`,
  };
}

/** Which server has which host. Times are the store's. */
export class ClaimRepository {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  /** Up to so many of the hosts that are due, the longest due first. */
  async claimDue(
    kind: keyof typeof CLAIM_QUERIES,
    { owner, now }: Claimant,
    limit: number,
  ): Promise<readonly Claim[]> {
    const rows = await CLAIM_QUERIES[kind](this.#session, { owner, now, limit });
    return rows.map(({ facts_due_at, ...row }) => ({ ...row, isFactsDue: facts_due_at <= now }));
  }

  /** Whether the claim is still the newest; if so it stays that until the transaction ends. */
  async lockIfCurrent({ host, fence }: Pick<Claim, 'host' | 'fence'>, owner: string): Promise<boolean> {
    this.#session.lockOrder.assertNext('host_queue', host);
    return (await lockClaim(this.#session, { host, owner, fence })).length > 0;
  }

  /** Gives a claim up that is held. */
  async release(host: Address, release: ClaimRelease, now: number, intervalMs: number): Promise<void> {
    const { taskDueAt, check, failures, factsDueAt, contact } = release;
    await this.#session.db
      .updateTable('host_queue')
      .set({
        owner: null,
        check_due_at: nextCheckAt(check, now, intervalMs),
        ...(taskDueAt !== undefined && { task_due_at: taskDueAt }),
        ...(failures !== undefined && { check_failures: failures }),
        ...(factsDueAt !== undefined && { facts_due_at: factsDueAt }),
        ...(contact !== undefined && contactColumns(contact, now)),
      })
      .where('host', '=', host)
      .execute();
  }

  /** A host whose claim is held has answered, or not, and the claim is kept. */
  async recordContact(host: Address, result: ContactResult, now: number): Promise<void> {
    await this.#session.db
      .updateTable('host_queue')
      .set(contactColumns(result, now))
      .where('host', '=', host)
      .execute();
  }

  /** Gives up the claims on hosts that a check found as they were. Answers which of them the owner still had. */
  async releaseHealthy(
    hosts: readonly Address[],
    { owner, now }: Claimant,
    intervalMs: number,
  ): Promise<readonly Address[]> {
    const released: Address[] = [];
    for (const chunk of toChunks(hosts)) {
      const rows = await this.#session.db
        .updateTable('host_queue')
        .set({
          owner: null,
          check_failures: 0,
          check_due_at: nextSlotTimeAfterCheck(now, intervalMs),
          ...contactColumns('answered', now),
        })
        .where('host', 'in', chunk)
        .where('owner', '=', owner)
        .returning('host')
        .execute();
      released.push(...rows.map(row => row.host));
    }
    return released;
  }

  /** Frees what servers had that have not been heard of for too long. */
  async releaseExpired(now: number): Promise<void> {
    const { db } = this.#session;
    const alive = db.selectFrom('servers').select('incarnation').where('lease_expires_at', '>', now);
    await db
      .updateTable('host_queue')
      .set({ owner: null })
      .where('owner', 'is not', null)
      .where('owner', 'not in', alive)
      .execute();
  }

  /** Gives up all claims of an owner that stops; what they were for is due as before. */
  async releaseAll(owner: string): Promise<void> {
    await this.#session.db
      .updateTable('host_queue')
      .set({ owner: null })
      .where('owner', '=', owner)
      .execute();
  }
}
