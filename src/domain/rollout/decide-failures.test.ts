import { describe, expect, test } from 'vitest';
import { decideRollout } from './decide.ts';
import { expectDecisions } from './decide-fixtures.ts';
import type { SnapshotOverrides } from './fixtures.ts';
import { NOW_MS, snapshotFixture } from './fixtures.ts';

describe('failures', () => {
  expectDecisions([
    [
      'one more than allowed, and nothing new starts, while what is in flight finishes',
      ['failed', 'verifying', '2 staged', 'pending'],
      { maxUnavailable: 3 },
      'running: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'what is being prepared finishes too',
      ['failed', 'staging', 'staged'],
      {},
      'running: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'then it has failed',
      ['failed', 'done', '2 staged', 'pending'],
      { maxUnavailable: 3 },
      'failed: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'or is paused at once, if so asked for',
      ['failed', 'verifying', 'staged'],
      { onFailure: 'pause' },
      'paused(failures): too_many_failures: 1 failed, at most 0 allowed',
    ],
    ['as many as allowed do not stop it', ['2 failed', 'staged'], { maxFailures: 2 }, 'rolls 3'],
    [
      'they are counted over the whole run',
      ['failed', '4 done', 'failed', '2 done', 'failed', 'staged'],
      { maxFailures: 2 },
      'failed: too_many_failures: 3 failed, at most 2 allowed',
    ],
    [
      'a part is of the plan, rounded down',
      ['failed', '8 staged', '20 other'],
      { maxFailures: '11%' },
      'failed: too_many_failures: 1 failed, at most 0 allowed',
    ],
    ['and may be none', ['failed', '9 staged'], { maxFailures: '10%' }, 'rolls 2'],
    [
      'those that a person has seen are forgiven',
      ['2 failed', 'staged'],
      {},
      'rolls 3',
      { acknowledgedFailures: 2 },
    ],
    [
      'but no others',
      ['3 failed', 'staged'],
      {},
      'failed: too_many_failures: 3 failed, at most 2 allowed',
      { acknowledgedFailures: 2 },
    ],
    [
      'the last host may be the one too many',
      ['done', 'failed'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'or have it paused',
      ['done', 'failed'],
      { onFailure: 'pause' },
      'paused(failures): too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'or have it stay paused, if that was done by hand',
      ['done', 'failed'],
      { onFailure: 'pause' },
      'paused(manual): too_many_failures: 1 failed, at most 0 allowed',
      { state: 'paused', pause: 'manual' },
    ],
    [
      'it stays paused until a person says otherwise',
      ['failed', 'staged'],
      { maxFailures: 5 },
      'paused(failures): why',
      { state: 'paused', pause: 'failures', problem: 'why' },
    ],
    [
      'paused by hand, it has failed when its last host has',
      ['done', 'failed'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
      { state: 'paused', pause: 'manual' },
    ],
    [
      'also while all are held',
      ['done', 'failed'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
      { isGloballyPaused: true },
    ],
  ]);

  expectDecisions([
    [
      'one that keeps its slot stops a bad version after as many as may be down',
      ['2 keeping', '8 staged'],
      { maxUnavailable: 2, maxFailures: '100%' },
      'running: waiting for 1, 2',
    ],
    [
      'one that does not is only in the way while it is down',
      ['failed', 'down failed', '3 staged'],
      { maxUnavailable: 2, maxFailures: 9 },
      'rolls 3',
    ],
    [
      'one that is down and keeps its slot counts once',
      ['down keeping', '2 staged'],
      { maxUnavailable: 2, maxFailures: 9 },
      'rolls 2',
    ],
    ['a skip frees the slot', ['skipped', '2 staged'], { maxFailures: 1 }, 'rolls 2'],
    [
      'a skip of one that is still down does, too',
      ['ignored down skipped', 'staged'],
      { maxFailures: 1 },
      'rolls 2',
    ],
    [
      'a retry begins anew, and needs no second slot while it is down',
      ['down pending', 'staged'],
      {},
      'prepares 1',
    ],
  ]);
});

describe('hosts in the way', () => {
  const waitsSince = (seconds: number): SnapshotOverrides => ({ blockedSinceMs: NOW_MS - seconds * 1000 });

  expectDecisions([
    [
      'they are named, while they are waited for',
      ['staged', 'other down', 'other down'],
      {},
      'running: waiting for 2 (unreachable), 3 (unreachable)',
      waitsSince(599),
    ],
    [
      'after a while it has failed',
      ['staged', 'other down'],
      {},
      'failed: budget_exhausted: waited 600 s for 2 (unreachable)',
      waitsSince(600),
    ],
    [
      'or is paused',
      ['staged', 'other down'],
      { onFailure: 'pause' },
      'paused(budget): budget_exhausted: waited 600 s for 2 (unreachable)',
      waitsSince(600),
    ],
    [
      'it stays paused until a person says otherwise',
      ['staged', 'other'],
      {},
      'paused(budget): why',
      { state: 'paused', pause: 'budget', problem: 'why' },
    ],
    ['unless nothing is left', ['done', 'skipped'], {}, 'finished', { state: 'paused', pause: 'budget' }],
    [
      'nobody is waited for while something is under way',
      ['verifying', 'staged', 'other down'],
      {},
      'waits',
      waitsSince(600),
    ],
    ['nor while something is prepared', ['staging', 'staged', 'other down'], {}, 'waits', waitsSince(600)],
    ['when one is back it goes on', ['staged', 'other'], {}, 'rolls 1', waitsSince(600)],
    [
      'one in maintenance that is in the plan is not touched, but waited for',
      ['done', 'maintenance pending'],
      { maxUnavailable: 2 },
      'running: waiting for 2 (in maintenance)',
    ],
    [
      'nor one that was prepared before',
      ['done', 'maintenance staged'],
      { maxUnavailable: 2 },
      'running: waiting for 2 (in maintenance)',
    ],
    [
      'nor one that is being bootstrapped',
      ['done', 'bootstrapping pending'],
      { maxUnavailable: 2 },
      'running: waiting for 2 (being bootstrapped)',
    ],
    [
      'ten are named, of more it is said',
      ['staged', '11 other down'],
      {},
      `running: waiting for ${[2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(host => `${host} (unreachable)`).join(', ')} and 1 more`,
    ],
    [
      'one that is down is prepared, however many are prepared already',
      ['3 staged', 'down pending', 'pending'],
      { stageParallel: 2 },
      'prepares 4',
    ],
  ]);

  test('the decision is repeated every 10 s, and when the wait is over, which began when no host could start', () => {
    const startedMs = decideRollout(snapshotFixture(['staged', 'other down']));
    expect([startedMs.blockedSinceMs, startedMs.reconcileAtMs]).toEqual([NOW_MS, NOW_MS + 10_000]);
    const late = decideRollout(snapshotFixture(['staged', 'other down'], {}, waitsSince(595)));
    expect([late.blockedSinceMs, late.reconcileAtMs]).toEqual([NOW_MS - 595_000, NOW_MS + 5000]);
  });

  test.each([
    ['somebody starts', ['staged']],
    ['something is under way', ['verifying', 'staged', 'other down']],
  ])('the wait is over when %s', (_what, hosts) => {
    expect(decideRollout(snapshotFixture(hosts, {}, waitsSince(100))).blockedSinceMs).toBeNull();
  });
});
