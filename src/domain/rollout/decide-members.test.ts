// Members that are out of service before an operation starts, and failures after a retry.

import { describe, expect, test } from 'vitest';
import { expectDecisions } from '../../../test/harness/rollout/expect-decisions.ts';
import type { SnapshotOverrides } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { NOW_MS, snapshotFixture } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import { decideRollout } from './decide.ts';

const FIRST: SnapshotOverrides = { state: 'running', assessment: 'initial' };
const AFTER_RESUME: SnapshotOverrides = { state: 'running', assessment: 'after_resume' };
const REMEDIES = 'exclude unhealthy hosts (unhealthy: exclude), raise max_unavailable, or wait for them (wait: true)';
const used = (hosts: string, width: number) =>
  `budget_exhausted: ${hosts} ${hosts.includes(',') ? 'use all slots' : 'uses the only slot'} (max_unavailable ${width}); ${REMEDIES}`;

describe('decideRollout with unhealthy: count', () => {
  expectDecisions([
    ['starts when all members respond', ['2 pending'], {}, 'stages 1 2', FIRST],
    [
      'fails at once when a host of the plan uses all slots',
      ['down pending', '2 pending'],
      {},
      `failed: ${used('1 (unreachable)', 1)}`,
      FIRST,
    ],
    [
      'fails at once when a member outside the plan uses all slots',
      ['2 pending', 'other maintenance'],
      {},
      `failed: ${used('3 (in maintenance)', 1)}`,
      FIRST,
    ],
    [
      'pauses at once with on_failure: pause',
      ['down pending', 'pending'],
      { onFailure: 'pause' },
      `paused(budget): ${used('1 (unreachable)', 1)}`,
      FIRST,
    ],
    [
      'starts when the budget is larger than the outage',
      ['down pending', '2 pending'],
      { maxUnavailable: 2 },
      'stages 1 2 3',
      FIRST,
    ],
    [
      'names every member that uses the budget',
      ['pending', 'other down', 'other bootstrapping'],
      { maxUnavailable: 2 },
      `failed: ${used('2 (unreachable), 3 (being bootstrapped)', 2)}`,
      FIRST,
    ],
    [
      'checks a host again after one failed check',
      ['unconfirmed pending', 'pending'],
      {},
      'running: checking 1 (unreachable)',
      FIRST,
    ],
    ['waits with wait: true', ['staged', 'other down'], { wait: true }, 'running: waiting for 2 (unreachable)', FIRST],
    [
      'does not fail because of an unregistered host of the plan',
      ['unregistered pending', 'pending'],
      {},
      'stages 1 2',
      FIRST,
    ],
    [
      'fails at once again after a retry',
      ['done', 'down pending'],
      {},
      `failed: ${used('2 (unreachable)', 1)}`,
      AFTER_RESUME,
    ],
    ['waits for members that fail later', ['done', 'staged', 'other down'], {}, 'running: waiting for 3 (unreachable)'],
    [
      'does not fail while the window is closed',
      ['down pending', 'pending'],
      {},
      'paused(window): the window is closed',
      { ...FIRST, window: { isOpen: false, changesAtMs: null } },
    ],
    ['finishes a plan without hosts in the first decision', ['other down'], {}, 'finished', FIRST],
  ]);

  test('reports the blocking members', () => {
    const { blockedBy } = decideRollout(snapshotFixture(['down pending', 'other maintenance', 'pending'], {}, FIRST));
    expect(blockedBy.map(({ host, reason }) => `${host} ${reason}`)).toEqual([
      '127.0.0.1 unreachable',
      '127.0.0.2 maintenance',
    ]);
  });

  test('checks unconfirmed hosts every 4 s and decides again soon', () => {
    const decision = decideRollout(snapshotFixture(['unconfirmed pending'], {}, FIRST));
    expect([decision.checkAfterMs, decision.reconcileAtMs]).toEqual([4000, NOW_MS + 500]);
  });
});

describe('decideRollout with unhealthy: exclude', () => {
  const EXCLUDE = { unhealthy: 'exclude', maxExcluded: 2 } as const;
  expectDecisions([
    [
      'excludes members that are out of service, in the plan or not',
      ['down pending', 'pending', 'other maintenance'],
      EXCLUDE,
      'excludes 1 3',
      FIRST,
    ],
    ['starts when all members respond', ['2 pending'], EXCLUDE, 'stages 1 2', FIRST],
    [
      'decides nothing before every member has responded',
      ['down pending', 'unchecked pending'],
      EXCLUDE,
      'running: checking 2',
      FIRST,
    ],
    [
      'excludes no member for one failed check',
      ['unconfirmed pending', 'pending'],
      EXCLUDE,
      'running: checking 1 (unreachable)',
      FIRST,
    ],
    [
      'fails when more members are unhealthy than max_excluded',
      ['3 down pending', 'pending'],
      EXCLUDE,
      'failed: too_many_unhealthy: 3 members are unavailable, but max_excluded allows 2: 1 (unreachable), 2 (unreachable), 3 (unreachable)',
      FIRST,
    ],
    [
      'excludes at least one member with 10% of 9',
      ['down pending', '8 pending'],
      { unhealthy: 'exclude' },
      'excludes 1',
      FIRST,
    ],
    [
      'excludes at most two members with 10% of 29',
      ['3 down pending', '26 pending'],
      { unhealthy: 'exclude' },
      'failed: too_many_unhealthy: 3 members are unavailable, but max_excluded allows 2: 1 (unreachable), 2 (unreachable), 3 (unreachable)',
      FIRST,
    ],
    [
      'excludes no further member after a retry',
      ['done', 'down pending', 'pending'],
      { ...EXCLUDE, maxUnavailable: 2 },
      'stages 2 3',
      AFTER_RESUME,
    ],
  ]);

  test('excludes members only once', () => {
    const decision = decideRollout(snapshotFixture(['down pending', 'pending'], EXCLUDE, FIRST));
    expect([decision.assessment, decision.reconcileAtMs]).toEqual(['done', NOW_MS]);
  });
});

describe('failures after a retry', () => {
  expectDecisions([
    ['do not keep further hosts from starting', ['failed', 'staged'], {}, 'starts 2', { acknowledgedFailures: 1 }],
    [
      'make the operation fail in the end',
      ['failed', 'done'],
      {},
      'failed: too_many_failures: 1 failed, at most 0 allowed',
      { acknowledgedFailures: 1 },
    ],
    [
      'do not make the operation fail if a user accepted them by resume',
      ['failed', 'done'],
      {},
      'finished',
      { acknowledgedFailures: 1, acceptedFailures: 1 },
    ],
  ]);
});
