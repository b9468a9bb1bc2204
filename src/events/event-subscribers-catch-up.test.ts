import { beforeEach, describe, expect, test } from 'vitest';
import { ReadersLab, range } from '../../test/harness/events/readers-lab.ts';

let fixture: ReadersLab;
beforeEach(() => {
  fixture = new ReadersLab();
});

describe('where reading the log goes over into following its end', () => {
  test.each([
    ['from the beginning', 0, range(1, 13)],
    ['from the middle', 7, range(8, 13)],
    ['from now on', 10, [11, 12, 13]],
    ['from what this server does not know yet', 12, [13]],
  ])('nothing is missing or told twice, %s', async (_what, startAfter, expected) => {
    fixture.grow(2);
    const sink = fixture.subscribe({ startAfter });
    await fixture.pass();
    fixture.arrive();
    await fixture.pass();
    fixture.happen();
    await fixture.pass();
    expect(sink.ids).toEqual(expected);
  });

  test('nothing is missing or told twice when more happens at every moment of it', async () => {
    fixture.grow(700);
    fixture.arrive();
    let left = 40;
    fixture.duringRead = () => {
      left -= 1;
      if (left < 0) return;
      if (left % 3 === 0) fixture.grow(1);
      else fixture.happen(left % 4);
    };
    const sinks = [0, 5, 350, 709].map(startAfter => fixture.subscribe({ startAfter }));
    for (let moment = 0; moment < 60; moment += 1) {
      if (moment % 2 === 0) fixture.happen();
      await fixture.clock.advance(7);
      if (moment % 10 === 0) sinks.push(fixture.subscribe({ startAfter: moment }));
    }
    fixture.arrive();
    await fixture.pass();
    const last = fixture.entries.at(-1)?.id ?? 0;
    const starts = [0, 5, 350, 709, 0, 10, 20, 30, 40, 50];
    for (const [index, sink] of sinks.entries())
      expect(sink.told).toEqual(range((starts[index] ?? 0) + 1, last));
  });

  test('what is gone from the log ends it, so that the reader comes back and is told', async () => {
    fixture.entries.splice(0, 4);
    const sink = fixture.subscribe({ startAfter: 2 });
    await fixture.pass();
    expect(sink.told).toEqual(['cut']);
  });

  test('a log that cannot be read ends it', async () => {
    fixture.duringRead = () => {
      throw new Error('away');
    };
    const sink = fixture.subscribe({ startAfter: 2 });
    await fixture.pass();
    expect([sink.told, fixture.warnings]).toEqual([['cut'], ['away']]);
  });
});
