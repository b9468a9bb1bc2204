// What people may ask of an operation: to pause, to go on, to be cancelled.

import type { Actor } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import { operationStatusEvents } from '../../domain/events/status-events.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import {
  allowedActions,
  assessmentAfterResume,
  canRetry,
  GLOBAL_PAUSE_MESSAGE,
  isManuallyPaused,
  stateAfterResume,
} from '../../domain/rollout/operation.ts';
import { OPEN_PHASES } from '../../domain/rollout/operation-host.ts';
import type { OperationAction, OperationState } from '../../domain/vocabulary.ts';
import type { Records } from '../../store/records.ts';
import type { Change } from '../change.ts';
import { change } from '../change.ts';
import type { Ports } from '../ports.ts';
import { unknownOperation } from './read-operations.ts';
import { skipEach } from './skip-each.ts';

/** An operation that is locked, with its cluster, and that may be asked this now. */
export interface Steered {
  readonly operation: ClusterOperation;
  readonly failures: number;
}

/** Whoever has lost the first answer may ask again. */
const isSoAlready = (operation: ClusterOperation, verb: OperationAction): boolean =>
  (verb === 'pause' && isManuallyPaused(operation)) ||
  (verb === 'cancel' && (operation.state === 'cancelling' || operation.state === 'cancelled'));

const STATE_TEXTS: Readonly<Record<OperationState, string>> = {
  planned: 'it has not started yet',
  running: 'it is running',
  paused: 'it is paused',
  cancelling: 'it is being cancelled',
  finished: 'it has finished',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
};

function stateText({
  state,
  pause,
  isClusterDeleted,
}: Pick<ClusterOperation, 'state' | 'pause' | 'isClusterDeleted'>): string {
  if (pause === 'global_pause') return GLOBAL_PAUSE_MESSAGE;
  if (pause === 'window') return 'it is paused until its time window opens';
  return isClusterDeleted && state === 'failed'
    ? `${STATE_TEXTS[state]}, and its cluster was removed`
    : STATE_TEXTS[state];
}

export function actionNotAllowed(
  operation: Pick<ClusterOperation, 'id' | 'state' | 'pause' | 'isClusterDeleted'>,
  verb: OperationAction,
  can: readonly OperationAction[],
): AppError {
  const what = verb === 'skip' ? 'skip hosts of' : verb;
  const isHeld = operation.pause === 'global_pause';
  const may = isHeld || can.length === 0 ? '' : `; allowed actions: ${can.join(', ')}`;
  return new AppError(
    'invalid_state',
    `cannot ${what} operation ${operation.id}: ${stateText(operation)}${may}`,
  );
}

/** Locks an operation; refuses when this cannot be asked of it now. */
export async function steer(
  records: Records,
  id: string,
  verb: OperationAction,
): Promise<Steered | AppError> {
  const seen = await records.operations.get(id);
  if (seen === undefined) return unknownOperation(id);
  await records.clusters.lock(seen.cluster);
  const operation = await records.operations.lock(id);
  if (operation === undefined) return unknownOperation(id);
  const { failed: failures = 0, pending = 0, staging = 0 } = await records.operationHosts.counts(id);
  if (verb === 'retry' && canRetry(operation)) {
    if (failures + pending + staging > 0) return { operation, failures };
    return new AppError('nothing_to_retry', `the operation ${id} has no failed or pending host`);
  }
  const can = allowedActions(operation, { failures });
  if (can.includes(verb) || isSoAlready(operation, verb)) return { operation, failures };
  return actionNotAllowed(operation, verb, can);
}

/** Writes where an operation stands, and has it looked at. */
export async function setStanding(
  { records, tell, news }: Change,
  before: ClusterOperation,
  after: ClusterOperation,
): Promise<ClusterOperation> {
  await records.operations.setStanding(after, await records.nowMs());
  await tell(operationStatusEvents(before, after));
  news(after.cluster);
  return after;
}

/** Starts on no more hosts until it is resumed; what is in flight comes to its end. */
export async function pauseOperation(ports: Ports, actor: Actor, id: string) {
  return change(ports, actor, async under => {
    const steered = await steer(under.records, id, 'pause');
    if (steered instanceof AppError) return steered;
    const { operation } = steered;
    if (isManuallyPaused(operation)) return operation;
    return setStanding(under, operation, { ...operation, state: 'paused', pause: 'manual', problem: '' });
  });
}

/**
 * Continues. A person has seen the failures, and accepts them. Members that are out of service are assessed again. Where every server is
 * partitioned, a person says that the silent hosts are down.
 */
export async function resumeOperation(ports: Ports, actor: Actor, id: string) {
  return change(ports, actor, async under => {
    const steered = await steer(under.records, id, 'resume');
    if (steered instanceof AppError) return steered;
    const { operation, failures } = steered;
    const isSeen = operation.pause === 'failures' || operation.pause === 'restored';
    const accepted = isSeen ? { acknowledgedFailures: failures, acceptedFailures: failures } : {};
    await under.records.operationHosts.clearBlocked(id);
    if (operation.pause === 'partitioned') await under.records.servers.endPartitions();
    return setStanding(under, operation, {
      ...operation,
      state: stateAfterResume(operation),
      ...{ pause: null, problem: '', blockedSinceMs: null, assessment: assessmentAfterResume(operation) },
      ...accepted,
    });
  });
}

/** Ends it as soon as nothing is left half done: what is not begun is skipped, what was only cordoned is uncordoned, the rest is brought to its end. */
export async function cancelOperation(ports: Ports, actor: Actor, id: string) {
  return change(ports, actor, async under => {
    const { records } = under;
    const steered = await steer(records, id, 'cancel');
    if (steered instanceof AppError) return steered;
    const { operation } = steered;
    if (operation.state === 'cancelling' || operation.state === 'cancelled') return operation;
    const open = await records.operationHosts.inPhases(id, OPEN_PHASES);
    await skipEach(under, operation, open, 'cancelled');
    return setStanding(under, operation, { ...operation, state: 'cancelling', pause: null, problem: '' });
  });
}
