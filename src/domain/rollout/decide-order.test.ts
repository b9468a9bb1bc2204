import { describe } from 'vitest';
import { expectDecisions } from '../../../test/harness/rollout/expect-decisions.ts';

describe('canaries', () => {
  expectDecisions([
    ['are staged up to the configured number', ['5 pending'], { canary: 2, maxUnavailable: 3 }, 'stages 1 2'],
    ['start together within the budget', ['2 staged', '3 pending'], { canary: 2, maxUnavailable: 3 }, 'starts 1 2'],
    [
      'never exceed the configured number, even if another host was staged meanwhile',
      ['done', '2 staged'],
      { canary: 2, maxUnavailable: 3 },
      'starts 2',
    ],
    [
      'block the other hosts until all are verified',
      ['done', 'verifying', '3 pending'],
      { canary: 2, maxUnavailable: 3 },
      'waits',
    ],
    [
      'release the other hosts when all are verified',
      ['2 done', '3 pending'],
      { canary: 2, maxUnavailable: 3 },
      'stages 3 4 5',
    ],
    ['are replaced if nothing had to be changed', ['unchanged', '4 pending'], { canary: 1 }, 'stages 2'],
    ['are replaced if skipped', ['skipped', '4 pending'], { canary: 1 }, 'stages 2'],
    [
      'block the other hosts after a failure, even if failures are allowed',
      ['failed', '4 pending'],
      { canary: 1, maxFailures: 3 },
      'running: waiting for 1',
    ],
    [
      'fail the operation after timeouts.ready',
      ['failed', '4 pending'],
      { canary: 1, maxFailures: 3 },
      'failed: budget_exhausted: waited 600 s for 1',
      { blockedSinceMs: 0 },
    ],
    ['are canaries again when retried', ['pending', '4 pending'], { canary: 1, maxFailures: 3 }, 'stages 1'],
    ['do not matter for later failures', ['done', 'failed', '2 pending'], { canary: 1, maxFailures: 3 }, 'stages 3 4'],
    ['can be more than the hosts of the plan', ['3 done'], { canary: 9 }, 'finished'],
  ]);
});

describe('ramp', () => {
  expectDecisions([
    ['starts with one host', ['9 staged'], { ramp: true, maxUnavailable: 8 }, 'starts 1'],
    ['allows two after one verified host', ['done', '8 staged'], { ramp: true, maxUnavailable: 8 }, 'starts 2 3'],
    ['allows two until both are verified', ['2 done', '7 staged'], { ramp: true, maxUnavailable: 8 }, 'starts 3 4'],
    [
      'allows four after three verified hosts',
      ['3 done', '6 staged'],
      { ramp: true, maxUnavailable: 8 },
      'starts 4 5 6 7',
    ],
    [
      'allows eight after seven verified hosts',
      ['7 done', '9 staged'],
      { ramp: true, maxUnavailable: 8 },
      'starts 8 9 10 11 12 13 14 15',
    ],
    ['never exceeds max_unavailable', ['7 done', '6 staged'], { ramp: true, maxUnavailable: 5 }, 'starts 8 9 10 11 12'],
    [
      'does not grow by failures',
      ['failed', '5 staged'],
      { ramp: true, maxUnavailable: 8, maxFailures: 9 },
      'starts 2',
    ],
    [
      'does not grow by hosts without changes',
      ['3 unchanged', '5 staged'],
      { ramp: true, maxUnavailable: 8 },
      'starts 4',
    ],
    [
      'does not grow while hosts are in flight',
      ['done', '2 applying', '5 staged'],
      { ramp: true, maxUnavailable: 8 },
      'waits',
    ],
  ]);
});

describe('staging', () => {
  expectDecisions([
    ['handles stage_parallel hosts at once', ['5 pending'], { stageParallel: 3 }, 'stages 1 2 3'],
    [
      'counts hosts that are already in preparation',
      ['preflight', 'staging', '5 pending'],
      { stageParallel: 3 },
      'stages 3',
    ],
    ['continues while hosts are in flight', ['rebooting', '5 pending'], { stageParallel: 3 }, 'stages 2 3 4'],
    [
      'continues up to stage_parallel plus max_unavailable hosts',
      ['rebooting', '3 staged', '5 pending'],
      { stageParallel: 3 },
      'stages 5',
    ],
    [
      'stops at stage_parallel plus max_unavailable hosts',
      ['rebooting', '4 staged', '5 pending'],
      { stageParallel: 3 },
      'waits',
    ],
    [
      'does not count unresponsive hosts against the others',
      ['2 unresponsive preflight', '5 pending'],
      { stageParallel: 3 },
      'stages 3 4',
    ],
    [
      'has separate limits for responsive and unresponsive hosts',
      ['3 unresponsive preflight', '3 staging', '5 down pending'],
      { stageParallel: 3 },
      'waits',
    ],
    [
      'starts with hosts that are down, which use no capacity of the others',
      ['2 pending', '2 down pending'],
      { stageParallel: 1 },
      'stages 3 1',
    ],
  ]);
});

describe('control plane', () => {
  expectDecisions([
    ['is last, even if first in the plan', ['2 control staged', 'staged'], { maxUnavailable: 3 }, 'starts 3'],
    ['waits for workers in flight', ['control staged', 'verifying'], { maxUnavailable: 3 }, 'waits'],
    ['waits for workers that are being prepared', ['control staged', 'staging'], { maxUnavailable: 3 }, 'waits'],
    [
      'waits for ineligible workers',
      ['control staged', 'maintenance pending'],
      { maxUnavailable: 3 },
      'running: waiting for 2 (in maintenance)',
    ],
    [
      'does not use the canary slots of pending workers',
      ['control staged', 'pending'],
      { canary: 1, stageParallel: 1 },
      'stages 2',
    ],
    ['starts one host at a time', ['3 control staged', 'done'], { maxUnavailable: 3 }, 'starts 1'],
    [
      'waits until the previous host is done',
      ['control verifying', '2 control staged', 'done'],
      { maxUnavailable: 3 },
      'waits',
    ],
    [
      'waits for a control-plane host that is down',
      ['control down staged', 'control staged', 'done'],
      { maxUnavailable: 3 },
      'running: waiting for 1 (unreachable)',
    ],
    ['does not start before the workers if down', ['control down staged', 'staged'], { maxUnavailable: 2 }, 'starts 2'],
    ['does not wait for workers that failed', ['control staged', 'failed', 'skipped'], { maxFailures: 1 }, 'starts 1'],
    ['is staged with the other hosts', ['control pending', 'pending'], {}, 'stages 2 1'],
  ]);
});
