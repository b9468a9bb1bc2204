import type { AlarmClock } from '../../lib/time/clock.ts';
import { inTime } from '../../lib/time/sleep.ts';
import type { Lease } from '../lease.ts';

/** No call takes longer; what takes its time, as a drain does, is asked about again. */
const ANSWER_WITHIN_MS = 60_000;

/** Asks a server of another system something, as long as the lease is held before and after. */
export async function askGuarded<T>(
  clock: AlarmClock,
  lease: Pick<Lease, 'require'>,
  ask: () => Promise<T>,
): Promise<T> {
  lease.require();
  const answer = await inTime(clock, ANSWER_WITHIN_MS, ask);
  lease.require();
  return answer;
}
