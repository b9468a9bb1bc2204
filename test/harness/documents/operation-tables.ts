// Rows and transitions of the operation documents, generated from the code.

import type { Address } from '../../../src/domain/addresses/address.ts';
import { AppError } from '../../../src/domain/errors.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { decideRollout } from '../../../src/domain/rollout/decide.ts';
import type { InternalPauseReason } from '../../../src/domain/rollout/operation.ts';
import { allowedActions, INTERNAL_PAUSE_REASONS, stateAfterResume } from '../../../src/domain/rollout/operation.ts';
import type { Policy } from '../../../src/domain/rollout/policy.ts';
import { resolvePolicy } from '../../../src/domain/rollout/policy.ts';
import type { RolloutSnapshot } from '../../../src/domain/rollout/snapshot.ts';
import type { Rollback, TaskOf } from '../../../src/domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../../src/domain/tasks/task.ts';
import type { OperationKind, OperationState } from '../../../src/domain/vocabulary.ts';
import { OPERATION_ACTIONS, OPERATION_STATES } from '../../../src/domain/vocabulary.ts';
import { rolloutProcedure } from '../../../src/procedures/rollout/rollout-procedures.ts';
import { pendingSteps } from '../../../src/procedures/step.ts';

const HOST = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;

export function defaultPolicy(kind: OperationKind, hasManager: boolean): Policy {
  const policy = resolvePolicy(kind, { input: {}, defaults: {}, hasManager });
  if (policy instanceof AppError) throw new Error(JSON.stringify(policy));
  return policy;
}

type StateWithPause = readonly [OperationState, InternalPauseReason | null];

const STATES: readonly StateWithPause[] = [
  ...OPERATION_STATES.filter(state => state !== 'paused').map((state): StateWithPause => [state, null]),
  ...INTERNAL_PAUSE_REASONS.map((pause): StateWithPause => ['paused', pause]),
];

const WAITING = { host: HOST, isDown: false, isUnresponsive: false, isControlPlane: false, position: 0 };

const DOWN: Pick<RolloutSnapshot, 'outages'> = {
  outages: [{ host: OTHER, reason: 'unreachable', detail: '', since: null, isConfirmed: true, isPlanned: false }],
};

/** Hosts of a planned operation. In the last case a member that was already down uses the only slot. */
const PLANNED_SITUATIONS: readonly Partial<RolloutSnapshot>[] = [
  {},
  { pending: [WAITING] },
  { pending: [WAITING], ...DOWN },
];

/**
 * Hosts of a running operation. In the last case a down member uses the only slot and the wait for it has
 * expired.
 */
const SITUATIONS: readonly Partial<RolloutSnapshot>[] = [
  {},
  { pending: [WAITING] },
  { inFlight: [HOST] },
  { failed: [HOST] },
  { failed: [OTHER], inFlight: [HOST] },
  { staged: [WAITING], ...DOWN },
];

function* listSnapshots([state, pause]: StateWithPause): Generator<RolloutSnapshot> {
  const policy = defaultPolicy('restart', false);
  const isNew = state === 'planned';
  for (const situation of isNew ? PLANNED_SITUATIONS : SITUATIONS)
    for (const onFailure of ['fail', 'pause'] as const)
      for (const isGloballyPaused of [false, true])
        for (const isOpen of [false, true])
          for (const isPartitioned of [false, true])
            yield {
              operation: {
                ...{ state, pause, problem: '', hostCount: 1, acknowledgedFailures: 0, acceptedFailures: 0 },
                assessment: isNew ? 'initial' : 'done',
                ...{ policy: { ...policy, onFailure }, blockedSinceMs: isNew ? null : 0 },
              },
              ...{
                nowMs: 1e9,
                isGloballyPaused,
                isPartitioned,
                window: { isOpen, changesAtMs: null },
                memberCount: 2,
              },
              ...{
                unchecked: [],
                freshnessMs: 15_000,
                respondedSinceMs: 1e9,
                freshUntilMs: 1e9,
                pendingReboots: [],
              },
              ...{ outages: [], inFlight: [], holdingSlot: [], preparingCount: 0, staged: [], pending: [] },
              ...{
                unregistered: [],
                recovered: [],
                unresponsiveCount: 0,
                brokenControlPlane: [],
                firstPreparingPosition: null,
              },
              ...{ ineligible: [], verifiedCount: 0, failed: [], areWorkersLeft: true },
              ...situation,
            };
}

const STATE_AFTER = { pause: 'paused', cancel: 'cancelling', retry: 'running' } as const;

const stateAfter = (verb: keyof typeof STATE_AFTER | 'resume', pause: InternalPauseReason | null): OperationState =>
  verb === 'resume' ? stateAfterResume({ pause }) : STATE_AFTER[verb];

/**
 * State transitions with the actions and pause reasons that cause them. No cause means that the hosts cause
 * it.
 */
export function operationArrows(): readonly { from: string; to: string; causes: readonly string[] }[] {
  const arrows = new Map<string, Set<string>>();
  const add = (from: OperationState, to: OperationState, causes: string) => {
    if (from === to) return;
    const found = arrows.get(`${from} ${to}`) ?? new Set();
    arrows.set(`${from} ${to}`, causes === '' ? found : found.add(causes));
  };
  for (const entry of STATES) {
    const [from, pause] = entry;
    for (const verb of allowedActions({ state: from, pause, isClusterRemoved: false }, { failures: 1 }))
      if (verb !== 'skip') add(from, stateAfter(verb, pause), verb);
    if (['finished', 'failed', 'cancelled'].includes(from)) continue;
    for (const snapshot of listSnapshots(entry)) {
      const after = decideRollout(snapshot).status;
      add(from, after.state, after.pause ?? '');
    }
  }
  const order = (state: string) => ([...OPERATION_STATES] as string[]).indexOf(state);
  return [...arrows]
    .map(([arrow, causes]) => {
      const [from = '', to = ''] = arrow.split(' ');
      return { from, to, causes: [...causes] };
    })
    .sort((a, b) => order(a.from) - order(b.from) || order(a.to) - order(b.to));
}

/** Allowed actions by state, without and with failed hosts. */
export const actionRows = (): readonly (readonly [string, ...string[]])[] =>
  STATES.map(([state, pause]) => {
    const can = [0, 1].map(failures => allowedActions({ state, pause, isClusterRemoved: false }, { failures }));
    const cells = OPERATION_ACTIONS.map(verb => {
      const [without, withFailed] = can.map(verbs => verbs.includes(verb));
      return without ? 'yes' : withFailed ? 'when a host has failed' : '';
    });
    return [pause === null ? state : `${state}, ${pause}`, ...cells];
  });

const createTask = (operationKind: OperationKind, hasManager: boolean): TaskOf<'rollout'> => ({
  ...{ kind: 'rollout', host: HOST, enrolment: '', operation: 'x', attempt: 1, version: '', stageResult: {} },
  ...{ operationKind, cluster: toRecordName('web'), policy: defaultPolicy(operationKind, hasManager) },
});

const ROLLBACK_TEXTS: Readonly<Record<string, string>> = {
  cancel_reboot: 'cancels the reboot',
  relock_deployment: 'locks the image again',
  rollback_cordon: 'uncordons the node',
};

type RollbackContext = Pick<Rollback, 'fromStep' | 'reason'>;

function describeRollback(task: TaskOf<'rollout'>, context: RollbackContext): string {
  const effects = rolloutProcedure.abortRules
    .rollbackSteps(task, context)
    .map(({ name }) => ROLLBACK_TEXTS[name] ?? name);
  const isUncordoned = effects.includes('uncordons the node');
  return [...effects, ...(isUncordoned ? [] : ['node stays cordoned'])].join(', ');
}

function abortCell(task: TaskOf<'rollout'>, step: string, reason: 'cancelled' | 'by_hand'): string {
  const mode = rolloutProcedure.abortRules.abortModeOf(task, step, reason);
  if (mode === 'continue') return 'continues';
  const effects = describeRollback(task, { fromStep: step, reason });
  return mode === 'step_decides' ? `${effects}; continues if the reboot has started` : effects;
}

/** Effects of cancel, skip and failure for each step of a host with a slot. */
export function abortRows(kind: OperationKind): readonly (readonly string[])[] {
  const task = createTask(kind, true);
  return pendingSteps(rolloutProcedure.steps, task, INITIAL_TASK_STATE).map(({ name, phase = '' }) => [
    name,
    phase,
    abortCell(task, name, 'cancelled'),
    abortCell(task, name, 'by_hand'),
    describeRollback(task, { fromStep: name, reason: { kind: 'failed', holdsSlot: false } }),
    rolloutProcedure.abortRules.isSystemicFailure(task, name) ? 'you retry or skip it' : 'it is `active`',
  ]);
}
