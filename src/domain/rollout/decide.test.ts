import { describe, expect, test } from 'vitest';
import { expectDecisions } from '../../../test/harness/rollout/expect-decisions.ts';
import type { SnapshotOverrides } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { NOW_MS, snapshotFixture } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { decideRollout } from './decide.ts';
import { allowedActions, INTERNAL_PAUSE_REASONS } from './operation.ts';

describe('decideRollout at the start and end of an operation', () => {
  expectDecisions([
    ['finishes without hosts', [], {}, 'finished', { state: 'planned' }],
    ['starts a planned operation and stages hosts', ['2 pending'], {}, 'stages 1 2', { state: 'planned' }],
    ['gives a staged host a slot', ['staged', 'pending'], {}, 'starts 1, stages 2'],
    ['waits for the last host in flight', ['done', 'verifying'], {}, 'waits'],
    ['finishes when all hosts are done', ['2 done', 'unchanged'], {}, 'finished'],
    ['finishes with a skipped host', ['done', 'skipped'], {}, 'finished'],
    ['finishes with tolerated failures', ['done', 'failed'], { maxFailures: 1 }, 'finished'],
    ['finishes with a tolerated failure that holds its slot', ['done', 'holding'], { maxFailures: 1 }, 'finished'],
    ['finishes even if another member is down', ['done', 'other down'], {}, 'finished'],
  ]);
});

describe('decideRollout within the budget', () => {
  expectDecisions([
    ['starts one host at a time by default', ['3 staged'], {}, 'starts 1'],
    ['counts a host in flight', ['cordoning', '2 staged'], {}, 'waits'],
    [
      'starts one more of 5 hosts with max_unavailable 2 and one in flight',
      ['draining', '4 staged'],
      { maxUnavailable: 2 },
      'starts 2',
    ],
    [
      'starts none of 5 hosts with max_unavailable 2, one in flight and one down',
      ['armed', 'other down', '3 staged'],
      { maxUnavailable: 2 },
      'waits',
    ],
    [
      'frees a slot when its host is done, without batches',
      ['done', 'rebooting', 'verifying', '2 staged'],
      { maxUnavailable: 3 },
      'starts 4',
    ],
    [
      'counts a host that is in flight and down once',
      ['down rebooting', '2 staged'],
      { maxUnavailable: 2 },
      'starts 2',
    ],
    ['uses no slot for preparation', ['staged', 'preflight', 'staging'], {}, 'starts 1'],
    ['keeps the plan order if a later host is staged first', ['preflight', 'staged'], {}, 'waits'],
    ['does not wait for a delayed host', ['delayed preflight', 'staged'], {}, 'starts 2'],
    ['gives a host that is down no slot', ['staged', 'down staged'], {}, 'running: waiting for 2 (unreachable)'],
    [
      'gives a host that is down no slot even within the budget',
      ['down staged', 'staged'],
      { maxUnavailable: 2 },
      'starts 2',
    ],
    ['stages a host that is down first', ['pending', 'down pending'], { stageParallel: 1 }, 'stages 2 1'],
    ['starts unregistered hosts within the budget', ['4 unregistered staged'], {}, 'starts 1'],
    ['starts no other host next to an unregistered one', ['unregistered staged', '2 staged'], {}, 'starts 1'],
    [
      'counts an unregistered member',
      ['staged', 'other unregistered'],
      {},
      'running: waiting for 2 (not registered with its container manager)',
    ],
    ['starts nothing while a host in flight was down before', ['down applying', 'staged'], {}, 'waits'],
    ['counts a member in maintenance', ['staged', 'other maintenance'], {}, 'running: waiting for 2 (in maintenance)'],
    [
      'counts a member that is being bootstrapped',
      ['staged', 'other bootstrapping'],
      {},
      'running: waiting for 2 (being bootstrapped)',
    ],
    ['does not count an ignored member', ['staged', 'other ignored down'], {}, 'starts 1'],
    [
      'does not count a removed host (kured #137, #847)',
      ['left failed', 'left skipped', 'staged'],
      { maxFailures: 1 },
      'starts 3',
    ],
    ['rounds 25% of 3 members to 1, not 0 (k0sctl)', ['3 staged'], { maxUnavailable: '25%' }, 'starts 1'],
    ['rounds 25% of 10 members to 2', ['10 staged'], { maxUnavailable: '25%' }, 'starts 1 2'],
    ['applies a percentage to all current members', ['3 staged', '9 other'], { maxUnavailable: '25%' }, 'starts 1 2 3'],
    [
      'does not apply a percentage to removed hosts of the plan',
      ['4 staged', '4 left done'],
      { maxUnavailable: '50%' },
      'starts 1 2',
    ],
  ]);
});

describe('decideRollout with a maintenance window', () => {
  const OPENS_MS = NOW_MS + 5000;
  const closed: SnapshotOverrides = { window: { isOpen: false, changesAtMs: OPENS_MS } };

  expectDecisions([
    [
      'starts nothing while the window is closed',
      ['staged', 'pending'],
      {},
      'paused(window): the window is closed',
      closed,
    ],
    ['finishes in a closed window when the last host is done', ['done', 'done'], {}, 'finished', closed],
    [
      'pauses in a closed window while hosts are in flight',
      ['verifying', 'staged'],
      {},
      'paused(window): the window is closed',
      closed,
    ],
    [
      'resumes the same plan when the window opens (kured #620)',
      ['done', 'staged', 'pending'],
      {},
      'starts 2, stages 3',
      { state: 'paused', pause: 'window', problem: 'the window is closed' },
    ],
    [
      'fails even if the window is closed',
      ['failed', 'staged'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
      closed,
    ],
  ]);

  test.each([
    ['opens', closed],
    ['closes', { window: { isOpen: true, changesAtMs: OPENS_MS } }],
  ])('decides again when the window %s', (_what, overrides) => {
    expect(decideRollout(snapshotFixture(['staged'], {}, overrides)).reconcileAtMs).toBe(OPENS_MS);
  });
});

describe('decideRollout after user actions', () => {
  const GLOBALLY_PAUSED = 'paused(global_pause): all operations are paused; resume all operations to continue';
  const manual: SnapshotOverrides = { state: 'paused', pause: 'manual' };
  const RESTORED = 'paused(restored): why';
  const restored: SnapshotOverrides = { state: 'paused', pause: 'restored', problem: 'why' };

  expectDecisions([
    ['starts nothing after a pause', ['verifying', 'staged', 'pending'], {}, 'paused(manual)', manual],
    ['finishes despite a pause when the last host is done', ['done'], {}, 'finished', manual],
    ['starts nothing after a restore', ['verifying', 'staged'], {}, RESTORED, restored],
    ['stays paused after a restore even if no host is left', ['done', 'failed'], {}, RESTORED, restored],
    [
      'keeps the restore pause during a global pause',
      ['staged'],
      {},
      RESTORED,
      { ...restored, isGloballyPaused: true },
    ],
    ['starts nothing during a global pause', ['staged', 'pending'], {}, GLOBALLY_PAUSED, { isGloballyPaused: true }],
    ['finishes during a global pause', ['done'], {}, 'finished', { isGloballyPaused: true }],
    ['continues after a global pause', ['staged'], {}, 'starts 1', { state: 'paused', pause: 'global_pause' }],
    [
      'keeps a manual pause during a global pause',
      ['staged'],
      {},
      'paused(manual)',
      { ...manual, isGloballyPaused: true },
    ],
    [
      'keeps a budget pause during a global pause',
      ['staged'],
      {},
      'paused(budget): why',
      { state: 'paused', pause: 'budget', problem: 'why', isGloballyPaused: true },
    ],
    ['lets hosts in flight finish after a cancel', ['verifying', 'skipped'], {}, 'cancelling', { state: 'cancelling' }],
    ['is cancelled when no host is in flight', ['done', 'skipped'], {}, 'cancelled', { state: 'cancelling' }],
    [
      'is cancelled regardless of failures, global pause and window',
      ['failed', 'skipped'],
      {},
      'cancelled',
      { state: 'cancelling', isGloballyPaused: true, window: { isOpen: false, changesAtMs: null } },
    ],
  ]);

  test.each(INTERNAL_PAUSE_REASONS.filter(pause => pause !== 'partitioned'))(
    'allows resume exactly if the operation does not continue by itself: paused by %s',
    pause => {
      const status = { state: 'paused', pause } as const;
      const continues = decideRollout(snapshotFixture(['staged'], {}, status)).status.state === 'running';
      const actions = allowedActions({ ...status, isClusterRemoved: false }, { failures: 0 });
      expect(actions.includes('resume')).toBe(!continues);
    },
  );
});
