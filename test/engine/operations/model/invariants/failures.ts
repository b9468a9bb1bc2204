// An operation finishes only with as many failed hosts as its policy allows, not counting those that an
// administrator accepted. A retry accepts no failure.

import type { Address } from '../../../../../src/domain/addresses/address.ts';
import type { OperationRow, PlannedRow, State } from '../stored-state.ts';
import { hostAt, isOpen, phasesOf, plannedIn, policyOf } from '../stored-state.ts';
import { hostsOf } from './budget.ts';
import type { Invariant } from './invariant.ts';

/** A failed host that left the cluster still counts, even if its record becomes `skipped(left_cluster)`. */
const isFailed = (row: PlannedRow): boolean =>
  row.phase === 'failed' ||
  (row.phase === 'skipped' && row.skip_reason === 'left_cluster' && phasesOf(row).at(-2)?.phase === 'failed');

export const failedIn = (state: State, operation: Pick<OperationRow, 'id'>): readonly Address[] =>
  plannedIn(state, operation)
    .filter(isFailed)
    .map(({ host }) => host);

/** Updates the accepted failures. A retried host is no longer accepted. */
const acceptedFailuresEndWithRetry: Invariant = ({ after, moved, acknowledged }) => {
  const { acceptedFailures, accepting } = acknowledged;
  for (const { was, is } of moved) {
    const accepted = acceptedFailures.get(is.operation);
    if (accepted && is.attempt !== was.attempt)
      acceptedFailures.set(is.operation, new Set([...accepted].filter(host => host !== is.host)));
  }
  if (accepting !== undefined) acceptedFailures.set(accepting, new Set(failedIn(after, { id: accepting })));
  return undefined;
};

const finishedWithAllowedFailures: Invariant = ({ before, after, acknowledged }) => {
  for (const operation of after.operations) {
    if (operation.state !== 'finished') continue;
    const was = before.operations.find(({ id }) => id === operation.id);
    if (was && !isOpen(was) && was.state === operation.state) continue;
    const accepted = acknowledged.acceptedFailures.get(operation.id);
    const failed = failedIn(after, operation).filter(host => !accepted?.has(host));
    const allowed = hostsOf(policyOf(operation).maxFailures, operation.host_count);
    if (failed.length <= allowed) continue;
    const describe = (host: Address) =>
      hostAt(after, host)?.cluster === operation.cluster ? host : `${host} (left the cluster)`;
    return `operation ${operation.id} finished with ${failed.length} failures of at most ${allowed}: ${failed.map(describe).join(', ')}`;
  }
  return undefined;
};

export const FAILURE_INVARIANTS: readonly Invariant[] = [acceptedFailuresEndWithRetry, finishedWithAllowedFailures];
