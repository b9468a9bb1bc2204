import { describe } from 'vitest';
import { expectDecisions } from './decide-fixtures.ts';

describe('canaries', () => {
  expectDecisions([
    ['as many as asked for begin', ['5 pending'], { canary: 2, maxUnavailable: 3 }, 'prepares 1 2'],
    [
      'they go together if the budget allows',
      ['2 staged', '3 pending'],
      { canary: 2, maxUnavailable: 3 },
      'rolls 1 2',
    ],
    [
      'no more of them go than that, also when another was prepared while one was in maintenance',
      ['done', '2 staged'],
      { canary: 2, maxUnavailable: 3 },
      'rolls 2',
    ],
    [
      'the rest waits for all of them',
      ['done', 'verifying', '3 pending'],
      { canary: 2, maxUnavailable: 3 },
      'waits',
    ],
    [
      'and follows when all are proved',
      ['2 done', '3 pending'],
      { canary: 2, maxUnavailable: 3 },
      'prepares 3 4 5',
    ],
    [
      'one that was there already proves nothing: the next is one too',
      ['there', '4 pending'],
      { canary: 1 },
      'prepares 2',
    ],
    ['nor does one that was skipped', ['skipped', '4 pending'], { canary: 1 }, 'prepares 2'],
    [
      'one that failed keeps the rest waiting, though failures are allowed',
      ['failed', '4 pending'],
      { canary: 1, maxFailures: 3 },
      'running: waiting for 1',
    ],
    [
      'and in the end it has failed',
      ['failed', '4 pending'],
      { canary: 1, maxFailures: 3 },
      'failed: budget_exhausted: waited 600 s for 1',
      { blockedSinceMs: 0 },
    ],
    ['its retry is the canary again', ['pending', '4 pending'], { canary: 1, maxFailures: 3 }, 'prepares 1'],
    [
      'a failure later on is one like any other',
      ['done', 'failed', '2 pending'],
      { canary: 1, maxFailures: 3 },
      'prepares 3 4',
    ],
    ['more than there are hosts are all of them', ['3 done'], { canary: 9 }, 'finished'],
  ]);
});

describe('a ramp', () => {
  expectDecisions([
    ['begins with one', ['9 staged'], { ramp: true, maxUnavailable: 8 }, 'rolls 1'],
    ['then has two', ['done', '8 staged'], { ramp: true, maxUnavailable: 8 }, 'rolls 2 3'],
    ['two, until both are proved', ['2 done', '7 staged'], { ramp: true, maxUnavailable: 8 }, 'rolls 3 4'],
    ['then four', ['3 done', '6 staged'], { ramp: true, maxUnavailable: 8 }, 'rolls 4 5 6 7'],
    ['and so on', ['7 done', '9 staged'], { ramp: true, maxUnavailable: 8 }, 'rolls 8 9 10 11 12 13 14 15'],
    [
      'never more than may be down',
      ['7 done', '6 staged'],
      { ramp: true, maxUnavailable: 5 },
      'rolls 8 9 10 11 12',
    ],
    [
      'does not grow by failures',
      ['failed', '5 staged'],
      { ramp: true, maxUnavailable: 8, maxFailures: 9 },
      'rolls 2',
    ],
    [
      'nor by hosts that were there already',
      ['3 there', '5 staged'],
      { ramp: true, maxUnavailable: 8 },
      'rolls 4',
    ],
    [
      'nor while hosts are in flight',
      ['done', '2 applying', '5 staged'],
      { ramp: true, maxUnavailable: 8 },
      'waits',
    ],
  ]);
});

describe('preparing', () => {
  expectDecisions([
    ['goes on for as many at once as the policy says', ['5 pending'], { stageParallel: 3 }, 'prepares 1 2 3'],
    ['those under way count', ['preflight', 'staging', '5 pending'], { stageParallel: 3 }, 'prepares 3'],
    ['goes on beside hosts in flight', ['rebooting', '5 pending'], { stageParallel: 3 }, 'prepares 2 3 4'],
    [
      'does not run further ahead than slots and width',
      ['rebooting', '3 staged', '5 pending'],
      { stageParallel: 3 },
      'prepares 5',
    ],
    ['nor any further', ['rebooting', '4 staged', '5 pending'], { stageParallel: 3 }, 'waits'],
    [
      'those that do not answer take no room of others',
      ['2 silent preflight', '5 pending'],
      { stageParallel: 3 },
      'prepares 3 4',
    ],
    [
      'others take as much room beside them as ever',
      ['3 silent preflight', '3 staging', '5 down pending'],
      { stageParallel: 3 },
      'waits',
    ],
    [
      'begins with those that are down, which take no room of the others',
      ['2 pending', '2 down pending'],
      { stageParallel: 1 },
      'prepares 3 1',
    ],
  ]);
});

describe('the control plane', () => {
  expectDecisions([
    [
      'is last, though it is first in the order',
      ['2 control staged', 'staged'],
      { maxUnavailable: 3 },
      'rolls 3',
    ],
    ['waits for workers in flight', ['control staged', 'verifying'], { maxUnavailable: 3 }, 'waits'],
    [
      'waits for workers that are being prepared',
      ['control staged', 'staging'],
      { maxUnavailable: 3 },
      'waits',
    ],
    [
      'waits for workers that nobody may touch',
      ['control staged', 'maintenance pending'],
      { maxUnavailable: 3 },
      'running: waiting for 2 (in maintenance)',
    ],
    [
      'takes no place of a canary from workers that it waits for',
      ['control staged', 'pending'],
      { canary: 1, stageParallel: 1 },
      'prepares 2',
    ],
    ['is done one at a time', ['3 control staged', 'done'], { maxUnavailable: 3 }, 'rolls 1'],
    [
      'the next when the one before is done',
      ['control verifying', '2 control staged', 'done'],
      { maxUnavailable: 3 },
      'waits',
    ],
    [
      'and waits for a node of it that is down',
      ['control down staged', 'control staged', 'done'],
      { maxUnavailable: 3 },
      'running: waiting for 1 (unreachable)',
    ],
    [
      'one that is down does not go before the workers',
      ['control down staged', 'staged'],
      { maxUnavailable: 2 },
      'rolls 2',
    ],
    [
      'does not wait for workers that failed',
      ['control staged', 'failed', 'skipped'],
      { maxFailures: 1 },
      'rolls 1',
    ],
    ['is prepared with the others', ['control pending', 'pending'], {}, 'prepares 2 1'],
  ]);
});
