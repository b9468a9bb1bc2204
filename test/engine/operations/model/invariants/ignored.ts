// The engine records which members use no budget, and the budget invariants use this record. This invariant
// checks the record: it contains only hosts that a client asked to skip or exclude and, with `unhealthy:
// exclude`, members that were out of service at the start.

import type { Address } from '../../../../../src/domain/addresses/address.ts';
import type { OperationRow } from '../stored-state.ts';
import { hostAt, isOutOfService, membersIn, phasesOf, plannedIn, policyOf } from '../stored-state.ts';
import { isUnresponsive } from '../undisturbed-time.ts';
import { hostsOf, ignoredBy } from './budget.ts';
import type { Commit, Invariant } from './invariant.ts';

/**
 * A host that was unresponsive at most this long ago may have failed its three checks, and be excluded although it
 * responds now.
 */
const RECENT_MS = 30_000;

export function ignoredInvariant(): Invariant {
  const unresponsiveAtMs = new Map<Address, number>();

  const wasOutOfService = ({ before, after }: Commit, host: Address): boolean => {
    const row = hostAt(before, host);
    const lastMs = unresponsiveAtMs.get(host) ?? Number.NEGATIVE_INFINITY;
    return (row !== undefined && isOutOfService(row)) || after.nowMs - lastMs <= RECENT_MS;
  };

  const checkOperation = (commit: Commit, operation: OperationRow): string | undefined => {
    const { before, after, acknowledged } = commit;
    const previous = before.operations.find(({ id }) => id === operation.id);
    const ignoredBefore = previous ? ignoredBy(before, previous) : new Set<Address>();
    const excluded = [...ignoredBy(after, operation)].filter(
      host => !ignoredBefore.has(host) && !acknowledged.ignorable.has(`${operation.id} ${host}`),
    );
    if (excluded.length === 0) return undefined;
    const { unhealthy, maxExcluded } = policyOf(operation);
    if (unhealthy !== 'exclude') return `excludes ${excluded.join(', ')}, and no client asked for it`;
    const limit = Math.max(1, hostsOf(maxExcluded, membersIn(after, operation).length));
    if (excluded.length > limit) return `excludes ${excluded.length} hosts, and max_excluded is ${limit}`;
    const healthy = excluded.filter(host => !wasOutOfService(commit, host));
    if (healthy.length > 0) return `excludes ${healthy.join(', ')}, which responded`;
    const isStarted = plannedIn(after, operation).some(row => phasesOf(row).some(({ phase }) => phase === 'rebooting'));
    return isStarted ? `excludes ${excluded.join(', ')} after it has rebooted hosts` : undefined;
  };

  return commit => {
    const { after, machineAt } = commit;
    for (const { address } of after.hosts)
      if (isUnresponsive(machineAt(address))) unresponsiveAtMs.set(address, after.nowMs);
    for (const operation of after.operations) {
      const found = checkOperation(commit, operation);
      if (found) return `operation ${operation.id} ${found}`;
    }
    return undefined;
  };
}
