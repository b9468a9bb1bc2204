import { describe, expect, test } from 'vitest';
import type { PolicyWish } from '../domain/rolling/policy.ts';
import type { HostPhase, OperationKind, SkipReason } from '../domain/vocabulary.ts';
import type { Retreat } from '../domain/work/work.ts';
import { createOperations } from './index.ts';
import { rollWork } from './roll-work.ts';
import { workToRoll, workToStage } from './rolling/rolling-lab.ts';
import { stanceOf } from './rolling/stance.ts';
import { stageWork } from './stage-work.ts';

const namesOf = (steps: readonly { readonly name: string }[]) => steps.map(({ name }) => name).join(' ');

describe('what is done on a host that has a slot', () => {
  test.each<[OperationKind, PolicyWish, string]>([
    ['restart', {}, 'cordon drain plan_reboot reboot wait_for_reboot verify uncordon'],
    ['upgrade', {}, 'cordon drain apply plan_reboot reboot wait_for_reboot verify uncordon'],
    ['deploy', {}, 'cordon drain apply plan_reboot reboot wait_for_reboot verify uncordon'],
    ['restart', { drain: false }, 'plan_reboot reboot wait_for_reboot verify'],
    ['upgrade', { drain: false, reboot: 'never' }, 'apply plan_reboot reboot wait_for_reboot verify'],
  ])('%s %j', (kind, wish, steps) => {
    expect(namesOf(rollWork(workToRoll(kind, wish)).steps)).toBe(steps);
  });

  test.each<[PolicyWish, string]>([
    [{}, 'cordon verify uncordon'],
    [{ drain: false }, 'verify'],
  ])('is to prove it, where an attempt before has brought it there: %j', (wish, steps) => {
    expect(namesOf(rollWork(workToRoll('deploy', wish, { verify_only: true })).steps)).toBe(steps);
  });

  test('goes through the phases in their order', () => {
    const phases = rollWork(workToRoll('upgrade')).steps.map(({ phase }) => phase);
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
    const step = rollWork(workToRoll(kind, { timeouts })).steps.find(one => one.name === name);
    expect(step?.patience.giveUpAfterMs).toBe(timeouts[field] * 1000);
  });

  test('does when it is not wanted what its kind of operation does', () => {
    const { steps, stanceOf: stance } = rollWork(workToRoll('upgrade'));
    const reasons: readonly SkipReason[] = ['cancelled', 'by_hand'];
    for (const { name } of steps)
      for (const reason of reasons) expect(stance?.(name, reason)).toBe(stanceOf('upgrade', name, reason));
  });
});

describe('what is done on a host before it has a slot', () => {
  test.each<[OperationKind, string]>([
    ['restart', 'preflight'],
    ['upgrade', 'preflight stage'],
    ['deploy', 'preflight stage'],
  ])('%s', (kind, steps) => {
    expect(namesOf(stageWork(workToStage(kind)).steps)).toBe(steps);
  });
});

const FAILED = { kind: 'failed', keepsSlot: false } as const;

describe('what is put in order when it goes no further', () => {
  type Row = [from: string, why: string, restart: string, upgrade: string];
  const WHYS: Readonly<Record<string, Retreat['why']>> = {
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

  test.each(ROWS)('from %s, %s', (from, because, restart, upgrade) => {
    const why = WHYS[because] ?? FAILED;
    const after = (kind: OperationKind, wish: PolicyWish = {}) =>
      namesOf(rollWork(workToRoll(kind, wish)).retreatFrom?.({ from, why }) ?? []);
    expect([after('restart'), after('upgrade')]).toEqual([restart, upgrade]);
    expect(after('restart', { drain: false })).toBe(restart.replace(/ ?rollback_cordon/, ''));
  });
});

test.each<[OperationKind, string]>([
  ['restart', 'reboot wait_for_reboot verify uncordon'],
  ['upgrade', 'apply plan_reboot reboot wait_for_reboot verify uncordon'],
  ['deploy', 'apply plan_reboot reboot wait_for_reboot verify uncordon'],
])('of a %s, what fails at %s would fail on the next host too', (kind, telling) => {
  const { steps, isTelling } = rollWork(workToRoll(kind));
  expect(namesOf(steps.filter(({ name }) => isTelling?.(name)))).toBe(telling);
});

test('the kind of the work picks what is done', () => {
  const operations = createOperations({ contactWithinMs: 1, retryWithinMs: 1 });
  expect(operations.procedureFor(workToStage('restart')).kind).toBe('stage');
  expect(operations.procedureFor(workToRoll('restart')).kind).toBe('rollout');
});
