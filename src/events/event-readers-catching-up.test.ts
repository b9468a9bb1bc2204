import { beforeEach, describe, expect, test } from 'vitest';
import { ReadersLab, range } from '../../test/harness/events/readers-lab.ts';

let lab: ReadersLab;
beforeEach(() => {
  lab = new ReadersLab();
});

describe('where reading the log goes over into following its end', () => {
  test.each([
    ['from the beginning', 0, range(1, 13)],
    ['from the middle', 7, range(8, 13)],
    ['from now on', 10, [11, 12, 13]],
    ['from what this server does not know yet', 12, [13]],
  ])('nothing is missing or told twice, %s', async (_what, startAfter, expected) => {
    lab.grow(2);
    const outlet = lab.follow({ startAfter });
    await lab.pass();
    lab.arrive();
    await lab.pass();
    lab.happen();
    await lab.pass();
    expect(outlet.ids).toEqual(expected);
  });

  test('nothing is missing or told twice when more happens at every moment of it', async () => {
    lab.grow(700);
    lab.arrive();
    let left = 40;
    lab.duringRead = () => {
      left -= 1;
      if (left < 0) return;
      if (left % 3 === 0) lab.grow(1);
      else lab.happen(left % 4);
    };
    const outlets = [0, 5, 350, 709].map(startAfter => lab.follow({ startAfter }));
    for (let moment = 0; moment < 60; moment += 1) {
      if (moment % 2 === 0) lab.happen();
      await lab.clock.advance(7);
      if (moment % 10 === 0) outlets.push(lab.follow({ startAfter: moment }));
    }
    lab.arrive();
    await lab.pass();
    const last = lab.entries.at(-1)?.id ?? 0;
    const begun = [0, 5, 350, 709, 0, 10, 20, 30, 40, 50];
    for (const [index, outlet] of outlets.entries())
      expect(outlet.told).toEqual(range((begun[index] ?? 0) + 1, last));
  });

  test('what is gone from the log ends it, so that the reader comes back and is told', async () => {
    lab.entries.splice(0, 4);
    const outlet = lab.follow({ startAfter: 2 });
    await lab.pass();
    expect(outlet.told).toEqual(['cut']);
  });

  test('a log that cannot be read ends it', async () => {
    lab.duringRead = () => {
      throw new Error('away');
    };
    const outlet = lab.follow({ startAfter: 2 });
    await lab.pass();
    expect([outlet.told, lab.warnings]).toEqual([['cut'], ['away']]);
  });
});
