import { describe, expect, it } from 'vitest';
import type { Told } from '../../event-words/told-events.ts';
import { ofNoun, seenWhile } from './seen-events.ts';

const told = (id: number, fields: Partial<Told> = {}): Told => ({
  ...{ id, at: '2026-11-15T12:00:00.000000', type: 'host.status' },
  ...{ cluster: 'web', host: '127.0.0.1', operation: null, data: {} },
  ...fields,
});
const idsOf = (events: readonly Told[]) => events.map(({ id }) => id);
const KNOWN = [told(2), told(1)];

describe('ofNoun', () => {
  const both = [told(2, { type: 'operation.host' }), told(1)];
  it.each([
    [undefined, [2, 1]],
    ['operation', [2]],
    ['operations', []],
  ])('%s', (noun, ids) => {
    expect(idsOf(ofNoun(both, noun))).toEqual(ids);
  });
});

describe('seenWhile', () => {
  it('shows all while it is not paused', () => {
    expect(seenWhile(undefined, KNOWN)).toEqual({ seen: KNOWN, waiting: 0 });
  });

  it('counts what comes while it is', () => {
    const { seen, waiting } = seenWhile(2, [told(4), told(3), ...KNOWN]);
    expect([idsOf(seen), waiting]).toEqual([[2, 1], 2]);
  });
});
