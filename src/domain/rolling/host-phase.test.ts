import { describe, expect, test } from 'vitest';
import { HOST_PHASES } from '../vocabulary.ts';
import { IN_FLIGHT_PHASES, NOT_ENDED_PHASES, PREPARING_PHASES } from './host-phase.ts';

describe('the phases of a host', () => {
  test('each is waiting, preparing, in flight or ended', () => {
    const parts = ['pending', ...PREPARING_PHASES, ...IN_FLIGHT_PHASES];
    expect(parts).toEqual(NOT_ENDED_PHASES);
    expect([...parts, 'done', 'failed', 'skipped']).toEqual(HOST_PHASES);
  });

  test('a slot is used from cordoning to uncordoning', () => {
    const [first, last] = [IN_FLIGHT_PHASES.at(0), IN_FLIGHT_PHASES.at(-1)];
    expect([first, last]).toEqual(['cordoning', 'uncordoning']);
  });
});
