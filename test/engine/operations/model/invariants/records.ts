// Acknowledged and recorded facts persist, and hosts and operations are consistent with each other.

import { HOST_PHASES } from '../../../../../src/domain/vocabulary.ts';
import { hostAt, isInFlight, isOpen, isPreparing, policyOf } from '../stored-state.ts';
import type { Invariant, Moved } from './invariant.ts';

const noOperationIsLost: Invariant = ({ after, acknowledged }) => {
  const stored = new Set(after.operations.map(({ id }) => id));
  const lost = [...acknowledged.operations].filter(id => !stored.has(id));
  return lost.length > 0 ? `operations were acknowledged and are lost: ${lost.join(', ')}` : undefined;
};

const endedOperationsStayEnded: Invariant = ({ before, after, acknowledged }) => {
  for (const was of before.operations) {
    const is = after.operations.find(({ id }) => id === was.id);
    if (is === undefined) return `operation ${was.id} is lost`;
    if (isOpen(was) || is.state === was.state) continue;
    if (was.state !== 'failed' || !acknowledged.isRetrying)
      return `operation ${was.id} was ${was.state} and is ${is.state}`;
  }
  return undefined;
};

const cancelledOperationsStayCancelled: Invariant = ({ after, acknowledged }) => {
  const other = after.operations.find(
    ({ id, state }) => acknowledged.cancelled.has(id) && state !== 'cancelling' && state !== 'cancelled',
  );
  return other && `operation ${other.id} was cancelled and is ${other.state}`;
};

const positionOf = (phase: Moved['is']['phase']) => HOST_PHASES.indexOf(phase);

interface MoveContext {
  readonly isRetrying: boolean;
  readonly isInMaintenance: boolean;
}

function checkMove({ was, is }: Moved, { isRetrying, isInMaintenance }: MoveContext): string | undefined {
  if (is.enrolment !== was.enrolment) return 'is another enrolment now';
  if (!is.phases_json.startsWith(was.phases_json.slice(0, -1))) return 'has different earlier phases';
  if (is.attempt !== was.attempt) {
    const isRetry = isRetrying && was.phase === 'failed' && is.attempt === was.attempt + 1;
    return isRetry && is.phase === 'pending' ? undefined : `went from attempt ${was.attempt} to ${is.attempt}`;
  }
  if (isInMaintenance && isPreparing(was) && is.phase === 'pending') return undefined;
  const isAllowed =
    was.phase === is.phase ||
    (was.phase !== 'done' && was.phase !== 'skipped' && positionOf(is.phase) >= positionOf(was.phase));
  return isAllowed ? undefined : `went from ${was.phase} to ${is.phase}`;
}

const phasesOnlyAdvance: Invariant = commit => {
  for (const moved of commit.moved) {
    const isInMaintenance = hostAt(commit.after, moved.is.host)?.in_maintenance === 1;
    const found = checkMove(moved, { isRetrying: commit.acknowledged.isRetrying, isInMaintenance });
    if (found) return `${moved.is.host} in operation ${moved.is.operation} ${found}`;
  }
  return undefined;
};

const onlyMembersAreInFlight: Invariant = ({ after }) => {
  const operations = new Map(after.operations.map(operation => [operation.id, operation]));
  for (const row of after.planned.filter(isInFlight)) {
    const host = hostAt(after, row.host);
    if (host?.enrolment !== row.enrolment) return `${row.host} was removed, and is in flight`;
    const operation = operations.get(row.operation);
    if (host.cluster !== operation?.cluster) return `${row.host} has left its cluster, and is in flight`;
    if (!isOpen(operation))
      return `${row.host} is in flight in operation ${row.operation}, which is ${operation.state}`;
  }
  return undefined;
};

const onlyFormerMembersAreSkippedAsLeft: Invariant = ({ after, moved }) => {
  const operations = new Map(after.operations.map(operation => [operation.id, operation]));
  for (const { was, is } of moved) {
    if (is.phase !== 'skipped' || was.phase === 'skipped' || is.skip_reason !== 'left_cluster') continue;
    const host = hostAt(after, is.host);
    if (host?.enrolment === is.enrolment && host.cluster === operations.get(is.operation)?.cluster)
      return `${is.host} is skipped in operation ${is.operation} because it left, and is a member`;
  }
  return undefined;
};

const skippedHostsDoNotFail: Invariant = ({ moved, acknowledged }) => {
  const broken = moved.find(
    ({ was, is }) =>
      is.phase === 'failed' &&
      was.phase !== 'failed' &&
      is.attempt === was.attempt &&
      acknowledged.skipped.has(`${is.operation} ${is.host}`),
  );
  return broken && `${broken.is.host} was skipped in operation ${broken.is.operation}, and has failed`;
};

/**
 * A later boot activates no image, unless the record says so or the policy needs no reboot. A restart applies
 * no image.
 */
const imagesAreLocked: Invariant = ({ after, moved, machineAt }) => {
  const exempt = new Set(
    after.operations
      .filter(operation => operation.kind === 'restart' || policyOf(operation).reboot === 'never')
      .map(({ id }) => id),
  );
  const unlocked = moved.find(({ was, is }) => {
    if (exempt.has(is.operation)) return false;
    const hasStopped = isInFlight(was) && (is.phase === 'failed' || is.phase === 'skipped');
    const { staged } = machineAt(is.host).machine;
    return hasStopped && staged?.isLocked === false && !is.problem.includes('activated by the next boot');
  });
  return unlocked && `${unlocked.is.host} has an image that its next boot applies, and its problem does not say so`;
};

const oneOperationPerHost: Invariant = ({ after }) => {
  const busy = after.planned.filter(row => isInFlight(row) || isPreparing(row)).map(({ host }) => host);
  const twice = busy.find((host, index) => busy.indexOf(host) !== index);
  if (twice) return `${twice} is in two operations`;
  const both = after.tasks.find(({ kind, host }) => kind === 'bootstrap' && busy.includes(host));
  return both && `${both.host} is in an operation and in a bootstrap`;
};

const oneTaskPerHost: Invariant = ({ after }) => {
  const twice = after.tasks.find(
    ({ kind, host }, index) =>
      (kind === 'rollout' || kind === 'stage') &&
      after.tasks.some((other, otherIndex) => otherIndex < index && other.kind === kind && other.host === host),
  );
  return twice && `${twice.host} has two ${twice.kind} tasks`;
};

export const RECORD_INVARIANTS: readonly Invariant[] = [
  noOperationIsLost,
  endedOperationsStayEnded,
  cancelledOperationsStayCancelled,
  phasesOnlyAdvance,
  onlyMembersAreInFlight,
  onlyFormerMembersAreSkippedAsLeft,
  skippedHostsDoNotFail,
  imagesAreLocked,
  oneOperationPerHost,
  oneTaskPerHost,
];
