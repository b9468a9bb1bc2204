import { describe, expect, it } from 'vitest';
import type { Told } from './told-events.ts';
import { MOST_TOLD, withEvents } from './told-events.ts';

const told = (id: number, fields: Partial<Told> = {}): Told => ({
  ...{ id, at: '2026-11-15T12:00:00.000000', type: 'host.status' },
  ...{ cluster: 'web', host: '127.0.0.1', operation: null, data: {} },
  ...fields,
});
const idsOf = (events: readonly Told[]) => events.map(({ id }) => id);
const KNOWN = [told(2), told(1)];

describe('withEvents', () => {
  it('puts the newest on top', () => {
    expect(idsOf(withEvents({}, KNOWN, [told(3), told(4)]))).toEqual([4, 3, 2, 1]);
  });

  it.each([
    ['of another cluster', { cluster: 'web' }, { cluster: 'edge' }],
    ['of none', { cluster: 'web' }, { cluster: null }],
    ['of another host', { host: '127.0.0.1' }, { host: '127.0.0.2' }],
  ])('leaves out what is %s, and stays the same', (_what, search, fields) => {
    expect(withEvents(search, KNOWN, [told(3, fields)])).toBe(KNOWN);
  });

  it('forgets the oldest', () => {
    const many = Array.from({ length: MOST_TOLD + 5 }, (_, index) => told(index + 10));
    const kept = withEvents({}, KNOWN, many);
    expect([kept.length, kept[0]?.id]).toEqual([MOST_TOLD, MOST_TOLD + 14]);
  });
});
