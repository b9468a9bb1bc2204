import { describe, expect, it } from 'vitest';
import { event } from './event-lab.ts';
import { foldedBy } from './folded-by.ts';

const gather = (value: readonly number[], events: readonly { id: number }[]) => [
  ...value,
  ...events.map(({ id }) => id),
];

describe('foldedBy', () => {
  it('adds what came after the position of the read, once', () => {
    const folded = foldedBy({ value: [], position: 3 }, [event(2), event(3), event(4), event(6)], gather);
    expect(folded).toEqual({ value: [4, 6], position: 6 });
    expect(foldedBy(folded, [event(4), event(6), event(7)], gather)).toEqual({
      value: [4, 6, 7],
      position: 7,
    });
  });

  it('leaves what was read as it is, the same object, when nothing is newer', () => {
    const reading = { value: [1], position: 9 };
    expect(foldedBy(reading, [event(8), event(9)], gather)).toBe(reading);
    expect(foldedBy(reading, [], gather)).toBe(reading);
  });
});
