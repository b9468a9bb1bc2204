import { describe, expect, test } from 'vitest';
import type { SteerTarget } from './steer-words.ts';
import { steeringFor } from './steer-words.ts';

describe('buttons of an operation', () => {
  test.each<[SteerTarget, title: string, isAtOnce: boolean]>([
    [{ verb: 'resume' }, 'Resume', true],
    [{ verb: 'resume', pausedBy: 'budget' }, 'Resume', true],
    [{ verb: 'resume', pausedBy: 'partitioned' }, 'Resume', false],
    [{ verb: 'pause', pausedBy: 'partitioned' }, 'Pause', true],
    [{ verb: 'retry' }, 'Retry failed hosts', false],
    [{ verb: 'retry', hasFailed: true }, 'Retry failed hosts', false],
    [{ verb: 'retry', hasFailed: false }, 'Retry', false],
    [{ verb: 'retry', host: '127.0.0.1' }, 'Retry this host', false],
    [{ verb: 'retry', exclude: ['127.0.0.2'], hasFailed: false }, 'Retry without these hosts', false],
  ])('%j: %s', (target, title, isAtOnce) => {
    const steering = steeringFor(target);
    expect([steering.title, steering.isAtOnce ?? false]).toEqual([title, isAtOnce]);
  });

  test('resuming after a partition explains that silent hosts become unreachable', () => {
    expect(steeringFor({ verb: 'resume', pausedBy: 'partitioned' }).words.join(' ')).toContain(
      'you declare the outage real: hosts that do not respond become unreachable',
    );
  });
});
