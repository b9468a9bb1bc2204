import { parseTimestamp } from '../timestamp.ts';
import type { OperationHost } from './operation-host.ts';
import { phaseGroupOf } from './operation-host.ts';
import type { Policy } from './policy.ts';

type TimedHost = Pick<OperationHost, 'phase' | 'attempt' | 'phases' | 'finishedAt'>;

/** The time for which the last attempt of a host that is done used a slot. */
function inFlightMs({ phase, attempt, phases, finishedAt }: TimedHost): number | undefined {
  const start = phases.find(entry => entry.attempt === attempt && phaseGroupOf(entry.phase) === 'in_flight');
  if (phase !== 'done' || finishedAt === null || start === undefined) return undefined;
  // A clock that was set back gives a negative time.
  return Math.max(0, parseTimestamp(finishedAt) - parseTimestamp(start.at));
}

interface EstimatedRollout extends Pick<Policy, 'canary' | 'ramp'> {
  readonly hosts: number;
  /** Free slots. */
  readonly slots: number;
}

/** How many times all slots are filled. */
function countRounds({ hosts, slots, canary, ramp }: EstimatedRollout): number {
  const canaries = Math.min(canary, hosts);
  let [rounds, remaining, width] = [Math.ceil(canaries / slots), hosts - canaries, ramp ? 1 : slots];
  while (remaining > 0) {
    rounds += 1;
    remaining -= width;
    width = Math.min(slots, width * 2);
  }
  return rounds;
}

/**
 * Estimates how long an operation takes from the hosts of an earlier one: the median time per host, with all slots in
 * use. `undefined` if no host of the earlier operation used a slot. `extraMs`: the time that a host needs in addition.
 */
export function estimateDurationMs(
  earlier: readonly TimedHost[],
  rollout: EstimatedRollout,
  extraMs = 0,
): number | undefined {
  const times = earlier
    .map(inFlightMs)
    .filter(time => time !== undefined)
    .sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  return median === undefined ? undefined : (median + extraMs) * countRounds(rollout);
}
