// A host that responds does not fail as unreachable, even if its server is partitioned, frozen or killed.

import type { Address } from '../../../../../src/domain/addresses/address.ts';
import type { SimulatedHost } from '../../../../../src/simulator/simulated-host.ts';
import type { Invariant } from './invariant.ts';

/**
 * A host can fail because of a contact at most this long ago: the lease time of a server plus the maximum
 * backoff.
 */
const RECENT_MS = 2 * 60_000;
const SILENCE = /^(unreachable|timed_out)/;

const isFaulty = ({ downSinceMs, faults }: SimulatedHost): boolean =>
  downSinceMs !== undefined || (faults?.all ?? []).length > 0;

export function unreachableInvariant(): Invariant {
  const faultyAtMs = new Map<Address, number>();
  return ({ after, moved, machineAt, time, acknowledged }) => {
    for (const { address } of after.hosts) if (isFaulty(machineAt(address))) faultyAtMs.set(address, after.nowMs);
    // Unresponsive hosts in maintenance are no sign of a partition.
    const monitored = after.hosts.filter(host => host.in_maintenance === 0).length;
    if (monitored < 3 || !time.canDetectPartitions || acknowledged.isPartitionOverruled) return undefined;
    for (const { was, is } of moved) {
      if (is.phase !== 'failed' || was.phase === 'failed' || !SILENCE.test(is.problem)) continue;
      const healthyMs = after.nowMs - (faultyAtMs.get(is.host) ?? 0);
      if (healthyMs > RECENT_MS)
        return `${is.host} failed (${is.problem}), and has responded for ${Math.round(healthyMs / 1000)} s`;
    }
    return undefined;
  };
}
