import { describe, expect, test } from 'vitest';
import { decideRollout } from './decide.ts';
import { expectDecisions } from './decide-fixtures.ts';
import type { SnapshotOverrides } from './fixtures.ts';
import { NOW_MS, snapshotFixture } from './fixtures.ts';
import { allowedActions, INTERNAL_PAUSE_REASONS } from './operation.ts';

describe('the beginning and the end', () => {
  expectDecisions([
    ['without hosts it is finished', [], {}, 'finished', { state: 'planned' }],
    [
      'what was planned runs, and hosts are prepared',
      ['2 pending'],
      {},
      'prepares 1 2',
      { state: 'planned' },
    ],
    ['one that is prepared gets a slot', ['staged', 'pending'], {}, 'rolls 1, prepares 2'],
    ['the last host in flight is waited for', ['done', 'verifying'], {}, 'waits'],
    ['when all are done it is finished', ['2 done', 'there'], {}, 'finished'],
    ['one that was skipped is not waited for', ['done', 'skipped'], {}, 'finished'],
    [
      'failures that the policy tolerates do not keep it from its end',
      ['done', 'failed'],
      { maxFailures: 1 },
      'finished',
    ],
    ['also when one of them keeps its slot', ['done', 'keeping'], { maxFailures: 1 }, 'finished'],
    ['a member that is down is none of its business in the end', ['done', 'other down'], {}, 'finished'],
  ]);
});

describe('the budget', () => {
  expectDecisions([
    ['one at a time, if nothing else is said', ['3 staged'], {}, 'rolls 1'],
    ['a host in flight uses a slot', ['cordoning', '2 staged'], {}, 'waits'],
    [
      'of 5 hosts, 2 at once, one in flight: one more starts',
      ['draining', '4 staged'],
      { maxUnavailable: 2 },
      'rolls 2',
    ],
    [
      'of 5 hosts, 2 at once, one in flight and one down: none',
      ['armed', 'other down', '3 staged'],
      { maxUnavailable: 2 },
      'waits',
    ],
    [
      'a slot is free when its host is done, not its batch',
      ['done', 'rebooting', 'verifying', '2 staged'],
      { maxUnavailable: 3 },
      'rolls 4',
    ],
    [
      'a host in flight that is down counts once',
      ['down rebooting', '2 staged'],
      { maxUnavailable: 2 },
      'rolls 2',
    ],
    ['preparing uses no slot', ['staged', 'preflight', 'staging'], {}, 'rolls 1'],
    ['the order is kept: one that is ready too early waits', ['preflight', 'staged'], {}, 'waits'],
    ['but not for one that is held up', ['delayed preflight', 'staged'], {}, 'rolls 2'],
    [
      'a host that is down gets no slot until it answers',
      ['staged', 'down staged'],
      {},
      'running: waiting for 2 (unreachable)',
    ],
    ['nor within the budget', ['down staged', 'staged'], { maxUnavailable: 2 }, 'rolls 2'],
    [
      'a host that is down is prepared first',
      ['pending', 'down pending'],
      { stageParallel: 1 },
      'prepares 2 1',
    ],
    [
      'of those that only are not registered the budget lets few go at once',
      ['4 detached staged'],
      {},
      'rolls 1',
    ],
    ['nobody else goes beside one that is not registered', ['detached staged', '2 staged'], {}, 'rolls 1'],
    [
      'one that is not registered uses a slot',
      ['staged', 'other detached'],
      {},
      'running: waiting for 2 (not registered with its container manager)',
    ],
    ['beside one that was down already nobody starts', ['down applying', 'staged'], {}, 'waits'],
    [
      'one in maintenance uses a slot',
      ['staged', 'other maintenance'],
      {},
      'running: waiting for 2 (in maintenance)',
    ],
    [
      'one that is being bootstrapped uses a slot',
      ['staged', 'other bootstrapping'],
      {},
      'running: waiting for 2 (being bootstrapped)',
    ],
    ['one that a person has said not to wait for uses none', ['staged', 'other ignored down'], {}, 'rolls 1'],
    [
      'one that is gone uses none (kured #137, #847)',
      ['gone failed', 'gone skipped', 'staged'],
      { maxFailures: 1 },
      'rolls 3',
    ],
    ['25% of 3 members is 1, not 0 (k0sctl)', ['3 staged'], { maxUnavailable: '25%' }, 'rolls 1'],
    ['25% of 10 members is 2', ['10 staged'], { maxUnavailable: '25%' }, 'rolls 1 2'],
    [
      'a part is of the members there are now, in the plan or not',
      ['3 staged', '9 other'],
      { maxUnavailable: '25%' },
      'rolls 1 2 3',
    ],
    [
      'and not of those that were planned',
      ['4 staged', '4 gone done'],
      { maxUnavailable: '50%' },
      'rolls 1 2',
    ],
  ]);
});

describe('a window', () => {
  const OPENS_MS = NOW_MS + 5000;
  const closed: SnapshotOverrides = { window: { isOpen: false, changesAtMs: OPENS_MS } };

  expectDecisions([
    [
      'while it is closed, nothing starts',
      ['staged', 'pending'],
      {},
      'paused(window): the window is closed',
      closed,
    ],
    [
      'what is in flight is not interrupted, and the last of it ends it',
      ['done', 'done'],
      {},
      'finished',
      closed,
    ],
    [
      'while some is in flight it is paused',
      ['verifying', 'staged'],
      {},
      'paused(window): the window is closed',
      closed,
    ],
    [
      'the same plan goes on when it opens (kured #620)',
      ['done', 'staged', 'pending'],
      {},
      'rolls 2, prepares 3',
      { state: 'paused', pause: 'window', problem: 'the window is closed' },
    ],
    [
      'failures come before it',
      ['failed', 'staged'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
      closed,
    ],
  ]);

  test.each([
    ['opens', closed],
    ['closes', { window: { isOpen: true, changesAtMs: OPENS_MS } }],
  ])('it is looked at again when it %s', (_what, circumstances) => {
    expect(decideRollout(snapshotFixture(['staged'], {}, circumstances)).reconcileAtMs).toBe(OPENS_MS);
  });
});

describe('people', () => {
  const GLOBALLY_PAUSED =
    'paused(global_pause): all operations are paused; resume all operations to continue';
  const manual: SnapshotOverrides = { state: 'paused', pause: 'manual' };
  const RESTORED = 'paused(restored): why';
  const restored: SnapshotOverrides = { state: 'paused', pause: 'restored', problem: 'why' };

  expectDecisions([
    ['pause it, and nothing starts', ['verifying', 'staged', 'pending'], {}, 'paused(manual)', manual],
    ['have it finished all the same, when its last host is done', ['done'], {}, 'finished', manual],
    ['have to look after a restore, and nothing starts', ['verifying', 'staged'], {}, RESTORED, restored],
    ['have to look after a restore, also where nothing is left', ['done', 'failed'], {}, RESTORED, restored],
    [
      'hold all after a restore, and it still waits for a look',
      ['staged'],
      {},
      RESTORED,
      { ...restored, isGloballyPaused: true },
    ],
    ['hold all, and nothing starts', ['staged', 'pending'], {}, GLOBALLY_PAUSED, { isGloballyPaused: true }],
    ['hold all, and what is done is done', ['done'], {}, 'finished', { isGloballyPaused: true }],
    ['release all, and it goes on', ['staged'], {}, 'rolls 1', { state: 'paused', pause: 'global_pause' }],
    [
      'hold all, and one that was paused by hand stays so',
      ['staged'],
      {},
      'paused(manual)',
      { ...manual, isGloballyPaused: true },
    ],
    [
      'hold all, and one that waits for a person still does after that',
      ['staged'],
      {},
      'paused(budget): why',
      { state: 'paused', pause: 'budget', problem: 'why', isGloballyPaused: true },
    ],
    [
      'cancel it: what is in flight comes to its end',
      ['verifying', 'skipped'],
      {},
      'cancelling',
      { state: 'cancelling' },
    ],
    ['cancel it: then it is over', ['done', 'skipped'], {}, 'cancelled', { state: 'cancelling' }],
    [
      'cancel it: failures, holds and windows change nothing',
      ['failed', 'skipped'],
      {},
      'cancelled',
      { state: 'cancelling', isGloballyPaused: true, window: { isOpen: false, changesAtMs: null } },
    ],
  ]);

  test.each(INTERNAL_PAUSE_REASONS.filter(pause => pause !== 'partitioned'))(
    'can resume it wherever it does not continue by itself: paused by %s',
    pause => {
      const standing = { state: 'paused', pause } as const;
      const continues = decideRollout(snapshotFixture(['staged'], {}, standing)).status.state === 'running';
      const actions = allowedActions({ ...standing, isClusterDeleted: false }, { failures: 0 });
      expect(actions.includes('resume')).toBe(!continues);
    },
  );
});
