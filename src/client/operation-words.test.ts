import { describe, expect, test } from 'vitest';
import type { HostPhase } from '../domain/vocabulary.ts';
import { PAUSE_REASONS } from '../domain/vocabulary.ts';
import { deedsOf, explainWait } from './operation-words.ts';

type Waiting = Parameters<typeof explainWait>[0];

describe('why nothing new is started', () => {
  const running: Waiting = { state: 'running', paused_by: null, problem: '' };
  test.each<[Partial<Waiting>, string]>([
    [{}, ''],
    [
      { problem: 'no host may be started: 2 of at most 2 are unavailable' },
      'no host may be started: 2 of at most 2 are unavailable',
    ],
    [{ state: 'paused', paused_by: 'manual' }, 'paused by hand'],
    [
      { state: 'paused', paused_by: 'failures', problem: '2 hosts failed' },
      'paused, since hosts have failed: 2 hosts failed',
    ],
    [{ state: 'paused', paused_by: 'window' }, 'paused until its window opens'],
    [{ state: 'paused', paused_by: 'budget' }, 'paused, since hosts that are out of service are in the way'],
    [{ state: 'paused', paused_by: 'partitioned' }, 'paused, because no server can reach most of its hosts'],
    [{ state: 'cancelling' }, 'what is in flight is left in order first'],
    [{ state: 'cancelling', problem: 'a host does not answer' }, 'a host does not answer'],
  ])('%j: %s', (waiting, words) => {
    expect(explainWait({ ...running, ...waiting })).toBe(words);
  });

  test('every reason has words of its own', () => {
    const words = PAUSE_REASONS.map(paused_by => explainWait({ ...running, state: 'paused', paused_by }));
    expect(new Set(words).size).toBe(PAUSE_REASONS.length);
  });
});

describe('what would be done on a host', () => {
  test.each<[readonly HostPhase[], string]>([
    [[], 'nothing'],
    [['staging', 'applying', 'applying'], 'stage, apply'],
    [
      ['cordoning', 'draining', 'armed', 'verifying', 'uncordoning'],
      'cordon, drain, reboot, verify, uncordon',
    ],
    [['preflight'], 'preflight'],
  ])('commands in %j: %s', (phases, words) => {
    expect(deedsOf(phases.map(phase => ({ phase })))).toBe(words);
  });
});
