import { describe, expect, test } from 'vitest';
import type { ListedEvent } from '../../events/event-list.ts';
import { filterByCategory, splitAtPause } from './pause.ts';

const createEvent = (id: number, fields: Partial<ListedEvent> = {}): ListedEvent => ({
  ...{ id, at: '2026-11-15T12:00:00.000000', type: 'host.status' },
  ...{ cluster: 'web', host: '127.0.0.1', operation: null, data: {} },
  ...fields,
});
const toIds = (events: readonly ListedEvent[]) => events.map(({ id }) => id);
const EVENTS = [createEvent(2), createEvent(1)];

describe('filterByCategory', () => {
  const both = [createEvent(2, { type: 'operation.host' }), createEvent(1)];
  test.each([
    [undefined, [2, 1]],
    ['operation', [2]],
    ['operations', []],
  ])('filters by the category %s', (category, ids) => {
    expect(toIds(filterByCategory(both, category))).toEqual(ids);
  });
});

describe('splitAtPause', () => {
  test('shows all events while the list is not paused', () => {
    expect(splitAtPause(undefined, EVENTS)).toEqual({ visible: EVENTS, newCount: 0 });
  });

  test('counts new events while the list is paused', () => {
    const { visible, newCount } = splitAtPause(2, [createEvent(4), createEvent(3), ...EVENTS]);
    expect([toIds(visible), newCount]).toEqual([[2, 1], 2]);
  });
});
