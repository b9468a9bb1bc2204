import { describe, expect, test } from 'vitest';
import type { PolicyInput } from '../../domain/rollout/policy.ts';
import type { Rollback } from '../../domain/tasks/task.ts';
import type { HostPhase, OperationKind, SkipReason } from '../../domain/vocabulary.ts';
import { createProcedures } from '../index.ts';
import { abortModeOf } from './abort-modes.ts';
import { rolloutProcedure, stageProcedure } from './rollout-procedures.ts';
import { rolloutTask, stageTask } from './step-fixtures.ts';

const namesOf = (steps: readonly { readonly name: string }[]) => steps.map(({ name }) => name).join(' ');

describe('what is done on a host that has a slot', () => {
  test.each<[OperationKind, PolicyInput, string]>([
    ['restart', {}, 'cordon drain plan_reboot reboot wait_for_reboot verify uncordon'],
    ['upgrade', {}, 'cordon drain apply plan_reboot reboot wait_for_reboot verify uncordon'],
    ['deploy', {}, 'cordon drain apply plan_reboot reboot wait_for_reboot verify uncordon'],
    ['restart', { drain: false }, 'plan_reboot reboot wait_for_reboot verify'],
    ['upgrade', { drain: false, reboot: 'never' }, 'apply plan_reboot reboot wait_for_reboot verify'],
  ])('%s %j', (kind, input, steps) => {
    expect(namesOf(rolloutProcedure(rolloutTask(kind, input)).steps)).toBe(steps);
  });

  test.each<[PolicyInput, string]>([
    [{}, 'cordon verify uncordon'],
    [{ drain: false }, 'verify'],
  ])('is to prove it, where an attempt before has brought it there: %j', (input, steps) => {
    expect(namesOf(rolloutProcedure(rolloutTask('deploy', input, { verify_only: true })).steps)).toBe(steps);
  });

  test('goes through the phases in their order', () => {
    const phases = rolloutProcedure(rolloutTask('upgrade')).steps.map(({ phase }) => phase);
    const expected: readonly HostPhase[] = [
      ...(['cordoning', 'draining', 'applying', 'armed', 'armed'] as const),
      ...(['rebooting', 'verifying', 'uncordoning'] as const),
    ];
    expect(phases).toEqual(expected);
  });

  test.each([
    ['apply', 'upgrade', 'apply', 'applyS'],
    ['plan_reboot', 'restart', 'plan_reboot', 'rebootS'],
    ['come back', 'restart', 'wait_for_reboot', 'rebootS'],
    ['verify', 'restart', 'verify', 'readyS'],
  ] as const)('has as long to %s as the policy says', (_what, kind, name, field) => {
    const timeouts = { applyS: 11, rebootS: 22, readyS: 33 };
    const step = rolloutProcedure(rolloutTask(kind, { timeouts })).steps.find(one => one.name === name);
    expect(step?.retryPolicy.timeoutMs).toBe(timeouts[field] * 1000);
  });

  test('does when it is not wanted what its kind of operation does', () => {
    const { steps, abortModeOf: abortMode } = rolloutProcedure(rolloutTask('upgrade'));
    const reasons: readonly SkipReason[] = ['cancelled', 'by_hand'];
    for (const { name } of steps)
      for (const reason of reasons)
        expect(abortMode?.(name, reason)).toBe(abortModeOf('upgrade', name, reason));
  });
});

describe('what is done on a host before it has a slot', () => {
  test.each<[OperationKind, string]>([
    ['restart', 'preflight'],
    ['upgrade', 'preflight stage'],
    ['deploy', 'preflight stage'],
  ])('%s', (kind, steps) => {
    expect(namesOf(stageProcedure(stageTask(kind)).steps)).toBe(steps);
  });
});

const FAILED = { kind: 'failed', holdsSlot: false } as const;

describe('what is put in order when it goes no further', () => {
  type Row = [from: string, why: string, restart: string, upgrade: string];
  const REASONS: Readonly<Record<string, Rollback['reason']>> = {
    failed: FAILED,
    cancelled: 'cancelled',
    skipped: 'by_hand',
  };

  // A node is uncordoned when nothing has happened to its host. What was applied and not booted into is not proved: it stays cordoned.
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

  test.each(ROWS)('from %s, %s', (fromStep, cause, restart, upgrade) => {
    const reason = REASONS[cause] ?? FAILED;
    const rollbackOf = (kind: OperationKind, input: PolicyInput = {}) =>
      namesOf(rolloutProcedure(rolloutTask(kind, input)).rollbackSteps?.({ fromStep, reason }) ?? []);
    expect([rollbackOf('restart'), rollbackOf('upgrade')]).toEqual([restart, upgrade]);
    expect(rollbackOf('restart', { drain: false })).toBe(restart.replace(/ ?rollback_cordon/, ''));
  });
});

test.each<[OperationKind, string]>([
  ['restart', 'reboot wait_for_reboot verify uncordon'],
  ['upgrade', 'apply plan_reboot reboot wait_for_reboot verify uncordon'],
  ['deploy', 'apply plan_reboot reboot wait_for_reboot verify uncordon'],
])('of a %s, what fails at %s would fail on the next host too', (kind, systemic) => {
  const { steps, isSystemicFailure } = rolloutProcedure(rolloutTask(kind));
  expect(namesOf(steps.filter(({ name }) => isSystemicFailure?.(name)))).toBe(systemic);
});

test('the kind of the work picks what is done', () => {
  const procedures = createProcedures({ contactTimeoutMs: 1, retryTimeoutMs: 1 });
  expect(procedures.procedureFor(stageTask('restart')).kind).toBe('stage');
  expect(procedures.procedureFor(rolloutTask('restart')).kind).toBe('rollout');
});
