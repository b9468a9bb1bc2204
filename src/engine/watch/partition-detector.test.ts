import { beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import type { PartitionChange } from './partition-detector.ts';
import { PartitionDetector } from './partition-detector.ts';

const host = (index: number) => `127.0.0.${index}` as Address;
const MINUTE = 60_000;

describe('the partition detector', () => {
  let nowMs: number;
  let detector: PartitionDetector;
  let changes: PartitionChange[];
  beforeEach(() => {
    [nowMs, changes] = [0, []];
    detector = new PartitionDetector({ monotonicMs: () => nowMs }, MINUTE, change => changes.push(change));
  });

  const check = (index: number, hasAnswered: boolean) => {
    nowMs += 1000;
    detector.note(host(index), hasAnswered);
  };
  const checkAll = (from: number, to: number, hasAnswered: boolean) => {
    for (let index = from; index <= to; index += 1) check(index, hasAnswered);
  };
  const conclude = (index: number) => detector.conclude(host(index), detector.judge(host(index)));

  test('calls a silent host lost when other hosts answer after it', () => {
    check(1, false);
    checkAll(2, 6, true);
    expect(detector.judge(host(1))).toBe('lost');
  });

  test('ignores answers from before the first silence', () => {
    checkAll(10, 60, true);
    checkAll(1, 6, false);
    expect(detector.judge(host(1))).toBe('partitioned');
  });

  test('judges every silent host alike, whichever was silent first', () => {
    checkAll(1, 3, false);
    expect([1, 2, 3].map(index => detector.judge(host(index)))).toEqual([
      'partitioned',
      'partitioned',
      'partitioned',
    ]);
  });

  test('does not count lost hosts as evidence later', () => {
    for (let index = 1; index <= 5; index += 1) {
      check(index, false);
      checkAll(10, 12, true);
      conclude(index);
    }
    expect(detector.isPartitioned).toBe(false);
  });

  test('wants five more samples before it judges a host', () => {
    check(1, false);
    expect(detector.samplesWanted(host(1))).toBe(5);
    checkAll(2, 4, true);
    expect(detector.samplesWanted(host(1))).toBe(2);
    checkAll(5, 9, true);
    expect(detector.samplesWanted(host(1))).toBe(0);
  });

  test('stays partitioned until most of the latest samples answer, and reports each change once', () => {
    checkAll(1, 8, false);
    conclude(1);
    conclude(2);
    expect(changes).toEqual(['partitioned']);
    check(1, true);
    expect(detector.isPartitioned).toBe(true);
    checkAll(2, 5, true);
    expect(changes).toEqual(['partitioned', 'connected']);
  });

  test('forgets samples after two check intervals', () => {
    checkAll(1, 6, false);
    nowMs += 121_000;
    check(7, false);
    expect(detector.judge(host(7))).toBe('lost');
  });

  describe('with six of nine hosts silent', () => {
    const round = (isThirdSilent = false) => {
      const startMs = nowMs;
      checkAll(1, 6, false);
      checkAll(7, 8, true);
      check(9, !isThirdSilent);
      nowMs = startMs + MINUTE;
    };
    beforeEach(() => {
      round();
      conclude(1);
    });

    test('calls the outage real after some hosts answered throughout five minutes', () => {
      for (let minute = 1; minute < 5; minute += 1) round();
      expect(changes).toEqual(['partitioned']);
      round();
      round();
      expect(changes).toEqual(['partitioned', 'outage']);
    });

    test('does not count a host that was silent in between', () => {
      detector = new PartitionDetector({ monotonicMs: () => nowMs }, MINUTE, change => changes.push(change));
      changes = [];
      const one = (answers: boolean) => {
        const startMs = nowMs;
        checkAll(1, 6, false);
        check(7, answers);
        nowMs = startMs + MINUTE;
      };
      one(true);
      conclude(1);
      for (let minute = 1; minute < 10; minute += 1) one(minute % 3 !== 0);
      expect(changes).toEqual(['partitioned']);
    });

    test('does not take silent hosts for a partition again once the outage is accepted', () => {
      detector.acceptOutage();
      expect(changes).toEqual(['partitioned', 'outage']);
      expect(detector.judge(host(1))).toBe('lost');
    });
  });

  test('never calls an outage real when no host answers', () => {
    for (let minute = 0; minute < 20; minute += 1) {
      const startMs = nowMs;
      checkAll(1, 3, false);
      if (minute === 0) conclude(1);
      nowMs = startMs + MINUTE;
    }
    expect(changes).toEqual(['partitioned']);
  });
});
