// Members without a recent response, the check before a reboot, and partitions.

import { describe, expect, test } from 'vitest';
import { expectDecisions } from '../../../test/harness/rollout/expect-decisions.ts';
import type { SnapshotOverrides } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { NOW_MS, snapshotFixture } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { decideRollout } from './decide.ts';

const FIRST: SnapshotOverrides = { state: 'running', assessment: 'initial' };

describe('decideRollout with stale members', () => {
  expectDecisions([
    [
      'gives no slot to a host whose last contact failed',
      ['unconfirmed staged', 'staged'],
      { maxUnavailable: 2 },
      'starts 2',
    ],
    [
      'gives no slot before every other member has responded',
      ['2 staged', 'other unchecked'],
      {},
      'running: checking 3',
    ],
    ['does not require a response of the starting host', ['unchecked staged', 'other'], {}, 'starts 1'],
    [
      'does not require a response of a member that is out of service',
      ['2 staged', 'other down'],
      { maxUnavailable: 2 },
      'starts 1',
    ],
    [
      'stages hosts while members are checked',
      ['staged', 'pending', 'other unchecked'],
      {},
      'stages 2, running: checking 3',
    ],
    ['checks nothing while all slots are in use', ['verifying', 'staged', 'other unchecked'], {}, 'waits'],
    [
      'fails after timeouts.ready if a member cannot be checked',
      ['staged', 'other unchecked'],
      {},
      'failed: budget_exhausted: waited 600 s for 2',
      { blockedSinceMs: NOW_MS - 600_000 },
    ],
  ]);

  test('requests checks before the responses become stale', () => {
    const decision = decideRollout(snapshotFixture(['staged', 'other unchecked']));
    expect([decision.checkAfterMs, decision.reconcileAtMs]).toEqual([10_000, NOW_MS + 500]);
  });
});

describe('check before a reboot', () => {
  expectDecisions([
    ['lets a host reboot that is alone in flight', ['awaits-clearance armed', 'pending'], {}, 'stages 2, clears 1'],
    [
      'blocks a host while another one uses all slots',
      ['awaits-clearance armed', 'other down'],
      {},
      'running: the reboot of 1 is waiting for 2 (unreachable)',
    ],
    [
      'lets a host reboot while the others leave a slot',
      ['awaits-clearance armed', 'other down'],
      { maxUnavailable: 2 },
      'clears 1',
    ],
    [
      'lets one of two hosts reboot when a third one fails: they do not wait for each other',
      ['2 awaits-clearance armed', 'other down'],
      { maxUnavailable: 2 },
      'clears 1, running: the reboot of 2 is waiting for 3 (unreachable)',
    ],
    [
      'counts hosts that have rebooted and are not done',
      ['verifying', 'awaits-clearance armed', 'other down'],
      { maxUnavailable: 2 },
      'running: the reboot of 2 is waiting for 3 (unreachable)',
    ],
    [
      'counts a later host without a recent response, which may have rebooted',
      ['awaits-clearance armed', 'stale awaits-clearance armed'],
      {},
      'running: the reboot of 1, 2 is waiting for hosts that reboot first',
    ],
    [
      'waits until every other member has responded',
      ['awaits-clearance armed', 'other unchecked'],
      {},
      'running: before the reboot of 1: checking 2',
    ],
    [
      'is made for hosts in flight of a paused operation',
      ['awaits-clearance armed', 'pending'],
      {},
      'clears 1, paused(manual)',
      { state: 'paused', pause: 'manual' },
    ],
    [
      'is made for hosts in flight of a cancelled operation',
      ['awaits-clearance armed'],
      {},
      'clears 1, cancelling',
      { state: 'cancelling' },
    ],
    ['counts a host that is down itself once', ['down awaits-clearance armed'], {}, 'clears 1'],
  ]);
});

describe('decideRollout during a partition of all servers', () => {
  const PARTITIONED: SnapshotOverrides = { isPartitioned: true };

  test.each<[string, readonly string[]]>([
    ['starts no host', ['staged', 'pending']],
    ['clears no host to reboot', ['awaits-clearance armed', 'pending']],
    ['assesses no member', ['down pending']],
  ])('pauses the operation and %s', (_what, hosts) => {
    const { status, start, stage, clearToReboot } = decideRollout(
      snapshotFixture(hosts, {}, { ...FIRST, ...PARTITIONED }),
    );
    expect([start, stage, clearToReboot]).toEqual([[], [], []]);
    expect(status).toMatchObject({ state: 'paused', pause: 'partitioned' });
    expect(status.problem).toMatch(/^partitioned: no server reaches most of its hosts/);
  });

  expectDecisions([
    ['continues by itself after the partition', ['staged'], {}, 'starts 1', { state: 'paused', pause: 'partitioned' }],
    ['finishes a completed plan', ['done'], {}, 'finished', PARTITIONED],
  ]);
});
