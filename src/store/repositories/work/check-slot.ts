import { sql } from 'kysely';
import { SLOTS_PER_INTERVAL } from '../../../domain/tasks/host-queue.ts';

const bigint = (value: number) => sql<number>`cast(${value} as bigint)`;

/** The first time from `base` on that a host's phase comes round. */
export const slotFrom = (base: number, intervalMs: number) => {
  const [from, interval] = [bigint(base), bigint(intervalMs)];
  const offset = sql`(check_offset * ${interval} / ${sql.lit(SLOTS_PER_INTERVAL)})`;
  return sql<number>`${from} + ((${offset} - ${from}) % ${interval} + ${interval}) % ${interval}`;
};

/** When a host that was checked now is checked next. A check that came late is not followed by another at once. */
export const slotAfter = (now: number, intervalMs: number) =>
  slotFrom(now + Math.floor(intervalMs / 2), intervalMs);
