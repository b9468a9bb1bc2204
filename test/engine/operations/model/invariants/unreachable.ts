// A host that answers does not fail as unreachable, whatever happens to the server that works on it.

import type { Address } from '../../../../../src/domain/addresses/address.ts';
import type { SimulatedHost } from '../../../../../src/simulator/simulated-host.ts';
import type { Invariant } from './invariant.ts';

/** A host can fail for a contact that was made this long ago: the lease of a server, and the longest pause between two tries. */
const RECENT_MS = 2 * 60_000;
const SILENCE = /^(unreachable|timed_out)/;

const hasTrouble = ({ downSinceMs, faults }: SimulatedHost): boolean =>
  downSinceMs !== undefined || (faults?.all ?? []).length > 0;

export function unreachableInvariant(): Invariant {
  const troubledAtMs = new Map<Address, number>();
  return ({ after, moved, machineAt, time, promises }) => {
    for (const { address } of after.hosts)
      if (hasTrouble(machineAt(address))) troubledAtMs.set(address, after.nowMs);
    // The silence of a host in maintenance says nothing.
    const watched = after.hosts.filter(host => host.in_maintenance === 0).length;
    if (watched < 3 || !time.canNoticePartitions || promises.isPartitionOverruled) return undefined;
    for (const { was, is } of moved) {
      if (is.phase !== 'failed' || was.phase === 'failed' || !SILENCE.test(is.problem)) continue;
      const calmMs = after.nowMs - (troubledAtMs.get(is.host) ?? 0);
      if (calmMs > RECENT_MS)
        return `${is.host} failed (${is.problem}), and has answered for ${Math.round(calmMs / 1000)} s`;
    }
    return undefined;
  };
}
