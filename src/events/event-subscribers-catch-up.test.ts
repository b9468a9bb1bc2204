import { beforeEach, describe, expect, test } from 'vitest';
import { EventSubscribersFixture, range } from '../../test/harness/events/event-subscriber-fixtures.ts';

let fixture: EventSubscribersFixture;
beforeEach(() => {
  fixture = new EventSubscribersFixture();
});

describe('EventSubscribers during catch-up', () => {
  test.each([
    ['at the start of the log', 0, range(1, 13)],
    ['in the middle of the log', 7, range(8, 13)],
    ['at the current end', 10, [11, 12, 13]],
    ['after entries that this server has not read yet', 12, [13]],
  ])('sends each entry once to a subscriber that starts %s', async (_case, startAfter, expected) => {
    fixture.appendEntries(2);
    const sink = fixture.subscribe({ startAfter });
    await fixture.advance();
    fixture.deliver();
    await fixture.advance();
    fixture.publish();
    await fixture.advance();
    expect(sink.ids).toEqual(expected);
  });

  test('sends each entry once while new entries arrive during every read', async () => {
    fixture.appendEntries(700);
    fixture.deliver();
    let left = 40;
    fixture.duringRead = () => {
      left -= 1;
      if (left < 0) return;
      if (left % 3 === 0) fixture.appendEntries(1);
      else fixture.publish(left % 4);
    };
    const sinks = [0, 5, 350, 709].map(startAfter => fixture.subscribe({ startAfter }));
    for (let moment = 0; moment < 60; moment += 1) {
      if (moment % 2 === 0) fixture.publish();
      await fixture.clock.advance(7);
      if (moment % 10 === 0) sinks.push(fixture.subscribe({ startAfter: moment }));
    }
    fixture.deliver();
    await fixture.advance();
    const last = fixture.entries.at(-1)?.id ?? 0;
    const starts = [0, 5, 350, 709, 0, 10, 20, 30, 40, 50];
    for (const [index, sink] of sinks.entries()) expect(sink.received).toEqual(range((starts[index] ?? 0) + 1, last));
  });

  test('disconnects a subscriber whose entries were pruned', async () => {
    fixture.entries.splice(0, 4);
    const sink = fixture.subscribe({ startAfter: 2 });
    await fixture.advance();
    expect(sink.received).toEqual(['cut']);
  });

  test('disconnects the subscriber and logs a warning when the log cannot be read', async () => {
    fixture.duringRead = () => {
      throw new Error('store unavailable');
    };
    const sink = fixture.subscribe({ startAfter: 2 });
    await fixture.advance();
    expect([sink.received, fixture.warnings]).toEqual([['cut'], ['store unavailable']]);
  });
});
