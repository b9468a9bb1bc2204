import { describe, expect, test } from 'vitest';
import { expectDecisions } from '../../../test/harness/rollout/expect-decisions.ts';
import type { SnapshotOverrides } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { NOW_MS, snapshotFixture } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { decideRollout } from './decide.ts';

describe('decideRollout with failed hosts', () => {
  expectDecisions([
    [
      'starts nothing after too many failures, while hosts in flight finish',
      ['failed', 'verifying', '2 staged', 'pending'],
      { maxUnavailable: 3 },
      'running: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'lets hosts in preparation finish',
      ['failed', 'staging', 'staged'],
      {},
      'running: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'fails when nothing is in progress',
      ['failed', 'done', '2 staged', 'pending'],
      { maxUnavailable: 3 },
      'failed: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'pauses immediately with on_failure: pause',
      ['failed', 'verifying', 'staged'],
      { onFailure: 'pause' },
      'paused(failures): too_many_failures: 1 failed, at most 0 allowed',
    ],
    ['continues with the allowed number of failures', ['2 failed', 'staged'], { maxFailures: 2 }, 'starts 3'],
    [
      'counts failures over the whole operation',
      ['failed', '4 done', 'failed', '2 done', 'failed', 'staged'],
      { maxFailures: 2 },
      'failed: too_many_failures: 3 failed, at most 2 allowed',
    ],
    [
      'rounds a percentage of the plan down',
      ['failed', '8 staged', '20 other'],
      { maxFailures: '11%' },
      'failed: too_many_failures: 1 failed, at most 0 allowed',
    ],
    ['allows 1 failure for 10% of 10 hosts', ['failed', '9 staged'], { maxFailures: '10%' }, 'starts 2'],
    ['does not count acknowledged failures', ['2 failed', 'staged'], {}, 'starts 3', { acknowledgedFailures: 2 }],
    [
      'counts failures above the acknowledged ones',
      ['3 failed', 'staged'],
      {},
      'failed: too_many_failures: 3 failed, at most 2 allowed',
      { acknowledgedFailures: 2 },
    ],
    [
      'fails when the last host exceeds the limit',
      ['done', 'failed'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'pauses when the last host exceeds the limit, with on_failure: pause',
      ['done', 'failed'],
      { onFailure: 'pause' },
      'paused(failures): too_many_failures: 1 failed, at most 0 allowed',
    ],
    [
      'keeps a manual pause when the last host exceeds the limit',
      ['done', 'failed'],
      { onFailure: 'pause' },
      'paused(manual): too_many_failures: 1 failed, at most 0 allowed',
      { state: 'paused', pause: 'manual' },
    ],
    [
      'stays paused until a user resumes the operation',
      ['failed', 'staged'],
      { maxFailures: 5 },
      'paused(failures): why',
      { state: 'paused', pause: 'failures', problem: 'why' },
    ],
    [
      'fails despite a manual pause when its last host fails',
      ['done', 'failed'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
      { state: 'paused', pause: 'manual' },
    ],
    [
      'fails despite the global pause when its last host fails',
      ['done', 'failed'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
      { isGloballyPaused: true },
    ],
  ]);

  expectDecisions([
    [
      'stops after max_unavailable failed hosts that hold their slots',
      ['2 holding', '8 staged'],
      { maxUnavailable: 2, maxFailures: '100%' },
      'running: waiting for 1, 2',
    ],
    [
      'counts a failed host without a slot only while it is down',
      ['failed', 'down failed', '3 staged'],
      { maxUnavailable: 2, maxFailures: 9 },
      'starts 3',
    ],
    [
      'counts a host that is down and holds its slot once',
      ['down holding', '2 staged'],
      { maxUnavailable: 2, maxFailures: 9 },
      'starts 2',
    ],
    ['frees the slot of a skipped host', ['skipped', '2 staged'], { maxFailures: 1 }, 'starts 2'],
    [
      'frees the slot of a skipped host that is still down',
      ['ignored down skipped', 'staged'],
      { maxFailures: 1 },
      'starts 2',
    ],
    ['stages a retried host that is down without a second slot', ['down pending', 'staged'], {}, 'stages 1'],
  ]);
});

describe('decideRollout with blocking hosts', () => {
  const blockedFor = (seconds: number): SnapshotOverrides => ({ blockedSinceMs: NOW_MS - seconds * 1000 });

  expectDecisions([
    [
      'names the hosts that it waits for',
      ['staged', 'other down', 'other down'],
      {},
      'running: waiting for 2 (unreachable), 3 (unreachable)',
      blockedFor(599),
    ],
    [
      'fails after timeouts.ready',
      ['staged', 'other down'],
      {},
      'failed: budget_exhausted: waited 600 s for 2 (unreachable)',
      blockedFor(600),
    ],
    [
      'pauses after timeouts.ready with on_failure: pause',
      ['staged', 'other down'],
      { onFailure: 'pause' },
      'paused(budget): budget_exhausted: waited 600 s for 2 (unreachable)',
      blockedFor(600),
    ],
    [
      'stays paused until a user resumes the operation',
      ['staged', 'other'],
      {},
      'paused(budget): why',
      { state: 'paused', pause: 'budget', problem: 'why' },
    ],
    [
      'finishes despite the pause if no host is left',
      ['done', 'skipped'],
      {},
      'finished',
      { state: 'paused', pause: 'budget' },
    ],
    [
      'does not time out while a host is in flight',
      ['verifying', 'staged', 'other down'],
      {},
      'waits',
      blockedFor(600),
    ],
    ['does not time out while a host is staging', ['staging', 'staged', 'other down'], {}, 'waits', blockedFor(600)],
    ['continues when the host is back', ['staged', 'other'], {}, 'starts 1', blockedFor(600)],
    [
      'waits for a pending host in maintenance',
      ['done', 'maintenance pending'],
      { maxUnavailable: 2 },
      'running: waiting for 2 (in maintenance)',
    ],
    [
      'waits for a staged host in maintenance',
      ['done', 'maintenance staged'],
      { maxUnavailable: 2 },
      'running: waiting for 2 (in maintenance)',
    ],
    [
      'waits for a host that is being bootstrapped',
      ['done', 'bootstrapping pending'],
      { maxUnavailable: 2 },
      'running: waiting for 2 (being bootstrapped)',
    ],
    [
      'names ten hosts and the number of the others',
      ['staged', '11 other down'],
      {},
      `running: waiting for ${[2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(host => `${host} (unreachable)`).join(', ')} and 1 more`,
    ],
    [
      'stages a host that is down regardless of the number of staged hosts',
      ['3 staged', 'down pending', 'pending'],
      { stageParallel: 2 },
      'stages 4',
    ],
  ]);

  test('decides again every 10 s and at the end of the wait, which starts when no host can start', () => {
    const started = decideRollout(snapshotFixture(['staged', 'other down']));
    expect([started.blockedSinceMs, started.reconcileAtMs]).toEqual([NOW_MS, NOW_MS + 10_000]);
    const late = decideRollout(snapshotFixture(['staged', 'other down'], {}, blockedFor(595)));
    expect([late.blockedSinceMs, late.reconcileAtMs]).toEqual([NOW_MS - 595_000, NOW_MS + 5000]);
  });

  test.each([
    ['a host starts', ['staged']],
    ['a host is in flight', ['verifying', 'staged', 'other down']],
  ])('ends the wait when %s', (_what, hosts) => {
    expect(decideRollout(snapshotFixture(hosts, {}, blockedFor(100))).blockedSinceMs).toBeNull();
  });
});
