import { describe, expect, test } from 'vitest';
import { rolloutTask, stageTask } from '../../../test/harness/rollout/step-fixtures.ts';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import type { Rollback, TaskOf } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import type { AbortReason, HostPhase, OperationKind } from '../../domain/vocabulary.ts';
import { pendingSteps } from '../step.ts';
import { abortModeOf } from './abort-modes.ts';
import { rolloutProcedure, stageProcedure } from './rollout-procedures.ts';

const namesOf = (steps: readonly { readonly name: string }[]) => steps.map(({ name }) => name).join(' ');

const rolloutSteps = (task: TaskOf<'rollout'>) => pendingSteps(rolloutProcedure.steps, task, INITIAL_TASK_STATE);

describe('rolloutProcedure', () => {
  test.each<[OperationKind, PolicyInput, string]>([
    ['restart', {}, 'cordon drain plan_reboot reboot wait_for_reboot verify uncordon'],
    ['upgrade', {}, 'cordon drain apply plan_reboot reboot wait_for_reboot verify uncordon'],
    ['deploy', {}, 'cordon drain apply plan_reboot reboot wait_for_reboot verify uncordon'],
    ['restart', { drain: false }, 'plan_reboot reboot wait_for_reboot verify'],
    ['upgrade', { drain: false, reboot: 'never' }, 'apply plan_reboot reboot wait_for_reboot verify'],
  ])('has the steps of %s with policy %j', (kind, input, steps) => {
    expect(namesOf(rolloutSteps(rolloutTask(kind, input)))).toBe(steps);
  });

  test.each<[PolicyInput, string]>([
    [{}, 'cordon verify uncordon'],
    [{ drain: false }, 'verify'],
  ])('only verifies a host that an earlier attempt has changed, with policy %j', (input, steps) => {
    expect(namesOf(rolloutSteps(rolloutTask('deploy', input, { verify_only: true })))).toBe(steps);
  });

  test('has its phases in order', () => {
    const phases = rolloutSteps(rolloutTask('upgrade')).map(({ phase }) => phase);
    const expected: readonly HostPhase[] = [
      ...(['cordoning', 'draining', 'applying', 'armed', 'armed'] as const),
      ...(['rebooting', 'verifying', 'uncordoning'] as const),
    ];
    expect(phases).toEqual(expected);
  });

  test.each([
    ['apply', 'upgrade', 'apply', 'applyS'],
    ['plan the reboot', 'restart', 'plan_reboot', 'rebootS'],
    ['wait for the reboot', 'restart', 'wait_for_reboot', 'rebootS'],
    ['verify', 'restart', 'verify', 'readyS'],
  ] as const)('has the timeout of the policy to %s', (_what, kind, name, field) => {
    const timeouts = { applyS: 11, rebootS: 22, readyS: 33 };
    const task = rolloutTask(kind, { timeouts });
    const step = rolloutSteps(task).find(step => step.name === name);
    expect(step?.retryPolicy(task, INITIAL_TASK_STATE).timeoutMs).toBe(timeouts[field] * 1000);
  });

  test('uses the abort modes of its operation kind', () => {
    const task = rolloutTask('upgrade');
    const abortModeOfTask = rolloutProcedure.abortRules.abortModeOf;
    const reasons: readonly AbortReason[] = ['cancelled', 'by_hand'];
    for (const { name } of rolloutSteps(task))
      for (const reason of reasons)
        expect(abortModeOfTask(task, name, reason)).toBe(abortModeOf('upgrade', name, reason));
  });
});

describe('stageProcedure', () => {
  test.each<[OperationKind, string]>([
    ['restart', 'preflight'],
    ['upgrade', 'preflight stage'],
    ['deploy', 'preflight stage'],
  ])('has the steps of %s', (kind, steps) => {
    expect(namesOf(pendingSteps(stageProcedure.steps, stageTask(kind), INITIAL_TASK_STATE))).toBe(steps);
  });
});

const FAILED = { kind: 'failed', holdsSlot: false } as const;

describe('rollbackSteps', () => {
  type Row = [from: string, why: string, restart: string, upgrade: string];
  const REASONS: Readonly<Record<string, Rollback['reason']>> = {
    failed: FAILED,
    cancelled: 'cancelled',
    skipped: 'by_hand',
  };

  // A node is uncordoned if its host was not changed. A host with applied changes that were not booted is not verified,
  // so it stays cordoned.
  const ROWS: readonly Row[] = [
    ['cordon', 'failed', 'rollback_cordon', 'rollback_cordon'],
    ['cordon', 'cancelled', 'rollback_cordon', 'rollback_cordon'],
    ['drain', 'failed', 'rollback_cordon', 'rollback_cordon'],
    ['drain', 'cancelled', 'rollback_cordon', 'rollback_cordon'],
    ['drain', 'skipped', 'rollback_cordon', 'rollback_cordon'],
    ['apply', 'failed', '', 'relock_deployment'],
    ['plan_reboot', 'failed', 'rollback_cordon', 'relock_deployment'],
    ['plan_reboot', 'cancelled', 'rollback_cordon', 'relock_deployment'],
    ['plan_reboot', 'skipped', 'rollback_cordon', 'relock_deployment'],
    ['reboot', 'failed', 'cancel_reboot', 'cancel_reboot relock_deployment'],
    ['reboot', 'cancelled', 'cancel_reboot rollback_cordon', 'cancel_reboot relock_deployment'],
    ['reboot', 'skipped', 'cancel_reboot rollback_cordon', 'cancel_reboot relock_deployment'],
    ['wait_for_reboot', 'failed', '', 'relock_deployment'],
    ['wait_for_reboot', 'skipped', '', 'relock_deployment'],
    ['verify', 'failed', '', ''],
    ['verify', 'skipped', '', ''],
    ['uncordon', 'failed', '', ''],
  ];

  test.each(ROWS)('returns the rollback from step %s of a %s host', (fromStep, cause, restart, upgrade) => {
    const reason = REASONS[cause] ?? FAILED;
    const rollbackOf = (kind: OperationKind, input: PolicyInput = {}) =>
      namesOf(rolloutProcedure.abortRules.rollbackSteps(rolloutTask(kind, input), { fromStep, reason }));
    expect([rollbackOf('restart'), rollbackOf('upgrade')]).toEqual([restart, upgrade]);
    expect(rollbackOf('restart', { drain: false })).toBe(restart.replace(/ ?rollback_cordon/, ''));
  });
});

test.each<[OperationKind, string]>([
  ['restart', 'reboot wait_for_reboot verify uncordon'],
  ['upgrade', 'apply plan_reboot reboot wait_for_reboot verify uncordon'],
  ['deploy', 'apply plan_reboot reboot wait_for_reboot verify uncordon'],
])('isSystemicFailure of a %s is true for %s', (kind, systemic) => {
  const task = rolloutTask(kind);
  const isSystemic = ({ name }: { readonly name: string }) => rolloutProcedure.abortRules.isSystemicFailure(task, name);
  expect(namesOf(rolloutSteps(task).filter(isSystemic))).toBe(systemic);
});
