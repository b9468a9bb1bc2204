// Members that have not answered for a while, the check before a reboot, and partitions.

import { describe, expect, test } from 'vitest';
import { decideRollout } from './decide.ts';
import { expectDecisions } from './decide-fixtures.ts';
import type { SnapshotOverrides } from './fixtures.ts';
import { NOW_MS, snapshotFixture } from './fixtures.ts';

const FIRST: SnapshotOverrides = { state: 'running', assessment: 'first' };

describe('freshness', () => {
  expectDecisions([
    [
      'a host whose last contact failed gets no slot',
      ['suspected staged', 'staged'],
      { maxUnavailable: 2 },
      'rolls 2',
    ],
    [
      'no host gets a slot before every other member has answered',
      ['2 staged', 'other unchecked'],
      {},
      'running: checking 3',
    ],
    ['a host does not wait for its own answer', ['unchecked staged', 'other'], {}, 'rolls 1'],
    [
      'a member that is out of service needs no answer',
      ['2 staged', 'other down'],
      { maxUnavailable: 2 },
      'rolls 1',
    ],
    [
      'hosts are prepared while members are checked',
      ['staged', 'pending', 'other unchecked'],
      {},
      'prepares 2, running: checking 3',
    ],
    [
      'nothing is checked while all slots are in use',
      ['verifying', 'staged', 'other unchecked'],
      {},
      'waits',
    ],
    [
      'a member that cannot be checked is not waited for without end',
      ['staged', 'other unchecked'],
      {},
      'failed: budget_exhausted: waited 600 s for 2',
      { blockedSinceMs: NOW_MS - 600_000 },
    ],
  ]);

  test('has members checked before their answers are too old', () => {
    const decision = decideRollout(snapshotFixture(['staged', 'other unchecked']));
    expect([decision.checkAfterMs, decision.reconcileAtMs]).toEqual([10_000, NOW_MS + 500]);
  });
});

describe('the check before a reboot', () => {
  expectDecisions([
    ['lets a host reboot that is alone in flight', ['asking armed', 'pending'], {}, 'prepares 2, clears 1'],
    [
      'keeps a host waiting while another one alone uses all slots',
      ['asking armed', 'other down'],
      {},
      'running: the reboot of 1 is waiting for 2 (unreachable)',
    ],
    [
      'lets a host reboot while the others leave a slot',
      ['asking armed', 'other down'],
      { maxUnavailable: 2 },
      'clears 1',
    ],
    [
      'lets one of two hosts reboot when a third one fails: they do not wait for each other',
      ['2 asking armed', 'other down'],
      { maxUnavailable: 2 },
      'clears 1, running: the reboot of 2 is waiting for 3 (unreachable)',
    ],
    [
      'counts hosts that have rebooted and are not done',
      ['verifying', 'asking armed', 'other down'],
      { maxUnavailable: 2 },
      'running: the reboot of 2 is waiting for 3 (unreachable)',
    ],
    [
      'counts a later host that has not answered for a while: it may have rebooted',
      ['asking armed', 'quiet asking armed'],
      {},
      'running: the reboot of 1, 2 is waiting for hosts that reboot first',
    ],
    [
      'waits until every other member has answered',
      ['asking armed', 'other unchecked'],
      {},
      'running: before the reboot of 1: checking 2',
    ],
    [
      'is made for hosts in flight of a paused operation',
      ['asking armed', 'pending'],
      {},
      'clears 1, paused(manual)',
      { state: 'paused', pause: 'manual' },
    ],
    [
      'is made for hosts in flight of a cancelled operation',
      ['asking armed'],
      {},
      'clears 1, cancelling',
      { state: 'cancelling' },
    ],
    ['counts a host once that is down itself', ['down asking armed'], {}, 'clears 1'],
  ]);
});

describe('a partition', () => {
  const PARTITIONED: SnapshotOverrides = { isPartitioned: true };

  test.each<[string, readonly string[]]>([
    ['starts no host', ['staged', 'pending']],
    ['lets no host reboot', ['asking armed', 'pending']],
    ['assesses nothing', ['down pending']],
  ])('of every server %s', (_what, hosts) => {
    const { status, roll, stage, clearToReboot } = decideRollout(
      snapshotFixture(hosts, {}, { ...FIRST, ...PARTITIONED }),
    );
    expect([roll, stage, clearToReboot]).toEqual([[], [], []]);
    expect(status).toMatchObject({ state: 'paused', pause: 'partitioned' });
    expect(status.problem).toMatch(/^partitioned: no server reaches most of its hosts/);
  });

  expectDecisions([
    [
      'ends, and the operation continues by itself',
      ['staged'],
      {},
      'rolls 1',
      { state: 'paused', pause: 'partitioned' },
    ],
    ['does not keep a finished plan from its end', ['done'], {}, 'finished', PARTITIONED],
  ]);
});
