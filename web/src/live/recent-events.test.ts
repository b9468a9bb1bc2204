import { describe, expect, test } from 'vitest';
import { createEvent } from '../../../test/harness/events/event-fixtures.ts';
import { applyNewerEvents, RecentEvents } from './recent-events.ts';

const idsAfter = (recent: RecentEvents, position: number) => recent.after(position)?.map(({ id }) => id);

describe('RecentEvents', () => {
  test('returns undefined before the stream starts', () => {
    expect(new RecentEvents(10).after(0)).toBeUndefined();
  });

  test('returns the events after a position, or undefined for a position before the start', () => {
    const recent = new RecentEvents(10);
    recent.start(5);
    expect(idsAfter(recent, 5)).toEqual([]);
    recent.add([createEvent(6), createEvent(8)]);
    expect(idsAfter(recent, 5)).toEqual([6, 8]);
    expect(idsAfter(recent, 6)).toEqual([8]);
    expect(idsAfter(recent, 8)).toEqual([]);
    expect(recent.after(4)).toBeUndefined();
  });

  test('returns undefined for a position whose events were dropped', () => {
    const recent = new RecentEvents(4);
    recent.start(0);
    recent.add([1, 2, 3, 4, 5].map(id => createEvent(id)));
    expect(recent.after(2)).toBeUndefined();
    expect(idsAfter(recent, 3)).toEqual([4, 5]);
  });

  test('drops all events on a restart', () => {
    const recent = new RecentEvents(4);
    recent.start(0);
    recent.add([createEvent(1)]);
    recent.start(90);
    expect(recent.after(1)).toBeUndefined();
    expect(idsAfter(recent, 90)).toEqual([]);
  });

  test('returns undefined after clear until it is started again', () => {
    const recent = new RecentEvents(4);
    recent.start(0);
    recent.add([createEvent(1)]);
    recent.clear();
    expect(recent.after(0)).toBeUndefined();
    recent.start(0);
    expect(idsAfter(recent, 0)).toEqual([]);
  });
});

const appendIds = (value: readonly number[], events: readonly { id: number }[]) => [
  ...value,
  ...events.map(({ id }) => id),
];

describe('applyNewerEvents', () => {
  test('applies each event after the position of the response once', () => {
    const updated = applyNewerEvents(
      { value: [], position: 3 },
      [createEvent(2), createEvent(3), createEvent(4), createEvent(6)],
      appendIds,
    );
    expect(updated).toEqual({ value: [4, 6], position: 6 });
    expect(applyNewerEvents(updated, [createEvent(4), createEvent(6), createEvent(7)], appendIds)).toEqual({
      value: [4, 6, 7],
      position: 7,
    });
  });

  test('returns the same object when no event is newer', () => {
    const current = { value: [1], position: 9 };
    expect(applyNewerEvents(current, [createEvent(8), createEvent(9)], appendIds)).toBe(current);
    expect(applyNewerEvents(current, [], appendIds)).toBe(current);
  });
});
