// What the documents tell of operations, made from the code: rows of tables and arrows of drawings.

import type { Address } from '../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { decideRollout } from '../../../src/domain/rollout/decide.ts';
import type { InternalPauseReason } from '../../../src/domain/rollout/operation.ts';
import {
  allowedActions,
  INTERNAL_PAUSE_REASONS,
  stateAfterResume,
} from '../../../src/domain/rollout/operation.ts';
import type { Policy } from '../../../src/domain/rollout/policy.ts';
import { resolvePolicy } from '../../../src/domain/rollout/policy.ts';
import type { RolloutSnapshot } from '../../../src/domain/rollout/snapshot.ts';
import type { TaskOf } from '../../../src/domain/tasks/task.ts';
import type { OperationKind, OperationState } from '../../../src/domain/vocabulary.ts';
import { OPERATION_ACTIONS, OPERATION_STATES } from '../../../src/domain/vocabulary.ts';
import { rolloutProcedure } from '../../../src/procedures/rollout/rollout-procedures.ts';

const HOST = '127.0.0.1' as Address;
const OTHER = '127.0.0.2' as Address;

export function defaultPolicy(kind: OperationKind, hasManager: boolean): Policy {
  const policy = resolvePolicy(kind, { input: {}, defaults: {}, hasManager });
  if (Array.isArray(policy)) throw new Error(JSON.stringify(policy));
  return policy;
}

// The life of an operation.

type Standing = readonly [OperationState, InternalPauseReason | null];

const STANDINGS: readonly Standing[] = [
  ...OPERATION_STATES.filter(state => state !== 'paused').map((state): Standing => [state, null]),
  ...INTERNAL_PAUSE_REASONS.map((pause): Standing => ['paused', pause]),
];

const WAITING = { host: HOST, isDown: false, isUnresponsive: false, isControlPlane: false, position: 0 };

const DOWN: Pick<RolloutSnapshot, 'outages'> = {
  outages: [
    { host: OTHER, reason: 'unreachable', detail: '', since: null, isConfirmed: true, isPlanned: false },
  ],
};

/** The hosts of an operation whose work has not begun. In the last case, a member that was down before uses the only slot. */
const FIRST_SITUATIONS: readonly Partial<RolloutSnapshot>[] = [
  {},
  { pending: [WAITING] },
  { pending: [WAITING], ...DOWN },
];

/** The hosts of a running operation. In the last case, a member that is down uses the only slot, and the wait for it is over. */
const SITUATIONS: readonly Partial<RolloutSnapshot>[] = [
  {},
  { pending: [WAITING] },
  { inFlight: [HOST] },
  { failed: [HOST] },
  { failed: [OTHER], inFlight: [HOST] },
  { staged: [WAITING], ...DOWN },
];

function* snapshotsOf([state, pause]: Standing): Generator<RolloutSnapshot> {
  const policy = defaultPolicy('restart', false);
  const isNew = state === 'planned';
  for (const situation of isNew ? FIRST_SITUATIONS : SITUATIONS)
    for (const onFailure of ['fail', 'pause'] as const)
      for (const isGloballyPaused of [false, true])
        for (const isOpen of [false, true])
          for (const isPartitioned of [false, true])
            yield {
              operation: {
                ...{ state, pause, problem: '', hostCount: 1, acknowledgedFailures: 0, acceptedFailures: 0 },
                assessment: isNew ? 'first' : 'done',
                ...{ policy: { ...policy, onFailure }, blockedSinceMs: isNew ? null : 0 },
              },
              ...{
                nowMs: 1e9,
                isGloballyPaused,
                isPartitioned,
                window: { isOpen, changesAtMs: null },
                members: 2,
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
              ...{ ineligible: [], verified: 0, failed: [], areWorkersLeft: true },
              ...situation,
            };
}

const STATE_AFTER = { pause: 'paused', cancel: 'cancelling', retry: 'running' } as const;

const stateAfter = (
  verb: keyof typeof STATE_AFTER | 'resume',
  pause: InternalPauseReason | null,
): OperationState => (verb === 'resume' ? stateAfterResume({ pause }) : STATE_AFTER[verb]);

/** Each arrow with the verbs of people and the reasons of the rule that are behind it; none: its hosts are. */
export function operationArrows(): readonly { from: string; to: string; why: readonly string[] }[] {
  const arrows = new Map<string, Set<string>>();
  const add = (from: OperationState, to: OperationState, why: string) => {
    if (from === to) return;
    const whys = arrows.get(`${from} ${to}`) ?? new Set();
    arrows.set(`${from} ${to}`, why === '' ? whys : whys.add(why));
  };
  for (const standing of STANDINGS) {
    const [from, pause] = standing;
    for (const verb of allowedActions({ state: from, pause, isClusterDeleted: false }, { failures: 1 }))
      if (verb !== 'skip') add(from, stateAfter(verb, pause), verb);
    if (['finished', 'failed', 'cancelled'].includes(from)) continue;
    for (const snapshot of snapshotsOf(standing)) {
      const after = decideRollout(snapshot).status;
      add(from, after.state, after.pause ?? '');
    }
  }
  const place = (state: string) => ([...OPERATION_STATES] as string[]).indexOf(state);
  return [...arrows]
    .map(([arrow, why]) => {
      const [from = '', to = ''] = arrow.split(' ');
      return { from, to, why: [...why] };
    })
    .sort((one, other) => place(one.from) - place(other.from) || place(one.to) - place(other.to));
}

/** What may be asked of an operation: by state, without and with hosts that have failed. */
export const verbRows = (): readonly (readonly [string, ...string[]])[] =>
  STANDINGS.map(([state, pause]) => {
    const can = [0, 1].map(failures =>
      allowedActions({ state, pause, isClusterDeleted: false }, { failures }),
    );
    const cells = OPERATION_ACTIONS.map(verb => {
      const [without, withFailed] = can.map(verbs => verbs.includes(verb));
      return without ? 'yes' : withFailed ? 'when a host has failed' : '';
    });
    return [pause === null ? state : `${state}, ${pause}`, ...cells];
  });

// The way of a host.

const workOf = (operationKind: OperationKind, hasManager: boolean): TaskOf<'rollout'> => ({
  ...{ kind: 'rollout', host: HOST, enrolment: '', operation: 'x', attempt: 1, version: '', stageResult: {} },
  ...{ operationKind, cluster: toRecordName('web'), policy: defaultPolicy(operationKind, hasManager) },
});

const UNDONE: Readonly<Record<string, string>> = {
  cancel_reboot: 'cancels the reboot',
  relock_deployment: 'locks the image again',
  rollback_cordon: 'uncordons the node',
};

type Left = Parameters<NonNullable<ReturnType<typeof rolloutProcedure>['rollbackSteps']>>[0];

function leftBy(work: TaskOf<'rollout'>, left: Left): string {
  const undone = (rolloutProcedure(work).rollbackSteps?.(left) ?? []).map(({ name }) => UNDONE[name] ?? name);
  const isUncordoned = undone.includes('uncordons the node');
  return [...undone, ...(isUncordoned ? [] : ['node stays cordoned'])].join(', ');
}

function unwantedCell(work: TaskOf<'rollout'>, step: string, reason: 'cancelled' | 'by_hand'): string {
  const stance = rolloutProcedure(work).abortModeOf?.(step, reason) ?? 'continue';
  if (stance === 'continue') return 'continues';
  const left = leftBy(work, { fromStep: step, reason });
  return stance === 'ask_step' ? `${left}; continues if the reboot has started` : left;
}

/** For each step on a host with a slot: the effects of cancel, skip and failure. */
export function leavingRows(kind: OperationKind): readonly (readonly string[])[] {
  const work = workOf(kind, true);
  return rolloutProcedure(work).steps.map(({ name, phase = '' }) => [
    name,
    phase,
    unwantedCell(work, name, 'cancelled'),
    unwantedCell(work, name, 'by_hand'),
    leftBy(work, { fromStep: name, reason: { kind: 'failed', holdsSlot: false } }),
    rolloutProcedure(work).isSystemicFailure?.(name) ? 'you retry or skip it' : 'it is `active`',
  ]);
}
