import { parseTimestamp } from '../timestamp.ts';
import type { OperationHost } from './operation-host.ts';
import { phaseGroupOf } from './operation-host.ts';

type TimedHost = Pick<OperationHost, 'phase' | 'attempt' | 'phases' | 'finishedAt'>;

/** The time for which the last attempt of a host that is done used a slot. */
function inFlightMs({ phase, attempt, phases, finishedAt }: TimedHost): number | undefined {
  const start = phases.find(entry => entry.attempt === attempt && phaseGroupOf(entry.phase) === 'in_flight');
  if (phase !== 'done' || finishedAt === null || start === undefined) return undefined;
  return parseTimestamp(finishedAt) - parseTimestamp(start.at);
}

/**
 * Estimates how long an operation takes from the hosts of an earlier one: the median time per host, with all slots in
 * use. `undefined` if no host of the earlier operation used a slot.
 */
export function estimateDurationMs(
  earlier: readonly TimedHost[],
  { hosts, slots }: { readonly hosts: number; readonly slots: number },
): number | undefined {
  const times = earlier
    .map(inFlightMs)
    .filter(time => time !== undefined)
    .sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  return median === undefined ? undefined : median * Math.ceil(hosts / slots);
}
