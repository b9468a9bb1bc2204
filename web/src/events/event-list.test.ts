import { describe, expect, test } from 'vitest';
import type { ListedEvent } from './event-list.ts';
import { MAX_EVENTS, prependEvents } from './event-list.ts';

const createEvent = (id: number, fields: Partial<ListedEvent> = {}): ListedEvent => ({
  ...{ id, at: '2026-11-15T12:00:00.000000', type: 'host.status' },
  ...{ cluster: 'web', host: '127.0.0.1', operation: null, data: {} },
  ...fields,
});
const toIds = (events: readonly ListedEvent[]) => events.map(({ id }) => id);
const EVENTS = [createEvent(2), createEvent(1)];

describe('prependEvents', () => {
  test('puts the newest event first', () => {
    expect(toIds(prependEvents({}, EVENTS, [createEvent(3), createEvent(4)]))).toEqual([4, 3, 2, 1]);
  });

  test.each([
    ['another cluster', { cluster: 'web' }, { cluster: 'edge' }],
    ['no cluster', { cluster: 'web' }, { cluster: null }],
    ['another host', { host: '127.0.0.1' }, { host: '127.0.0.2' }],
  ])('returns the same list for an event of %s', (_title, search, fields) => {
    expect(prependEvents(search, EVENTS, [createEvent(3, fields)])).toBe(EVENTS);
  });

  test('removes the oldest events above the limit', () => {
    const many = Array.from({ length: MAX_EVENTS + 5 }, (_, index) => createEvent(index + 10));
    const listed = prependEvents({}, EVENTS, many);
    expect([listed.length, listed[0]?.id]).toEqual([MAX_EVENTS, MAX_EVENTS + 14]);
  });
});
