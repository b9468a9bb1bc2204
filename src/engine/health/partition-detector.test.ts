import { beforeEach, describe, expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import type { PartitionChange } from './partition-detector.ts';
import { PartitionDetector } from './partition-detector.ts';

const host = (index: number) => `127.0.0.${index}` as Address;
const MINUTE = 60_000;

describe('PartitionDetector', () => {
  let nowMs: number;
  let detector: PartitionDetector;
  let changes: PartitionChange[];
  beforeEach(() => {
    [nowMs, changes] = [0, []];
    detector = new PartitionDetector({ monotonicMs: () => nowMs }, MINUTE, change => changes.push(change));
  });

  const check = (index: number, hasResponded: boolean) => {
    nowMs += 1000;
    detector.recordSample(host(index), hasResponded);
  };
  const checkAll = (from: number, to: number, hasResponded: boolean) => {
    for (let index = from; index <= to; index += 1) check(index, hasResponded);
  };
  const applyVerdict = (index: number) => detector.applyVerdict(host(index), detector.classify(host(index)));

  test('classifies an unresponsive host as unreachable when other hosts respond after it', () => {
    check(1, false);
    checkAll(2, 6, true);
    expect(detector.classify(host(1))).toBe('unreachable');
  });

  test('ignores responses from before the first missing response', () => {
    checkAll(10, 60, true);
    checkAll(1, 6, false);
    expect(detector.classify(host(1))).toBe('partitioned');
  });

  test('classifies all unresponsive hosts alike, regardless of which was unresponsive first', () => {
    checkAll(1, 3, false);
    expect([1, 2, 3].map(index => detector.classify(host(index)))).toEqual([
      'partitioned',
      'partitioned',
      'partitioned',
    ]);
  });

  test('does not count lost hosts as later evidence', () => {
    for (let index = 1; index <= 5; index += 1) {
      check(index, false);
      checkAll(10, 12, true);
      applyVerdict(index);
    }
    expect(detector.isPartitioned).toBe(false);
  });

  test('needs five more samples to classify a host', () => {
    check(1, false);
    expect(detector.samplesNeeded(host(1))).toBe(5);
    checkAll(2, 4, true);
    expect(detector.samplesNeeded(host(1))).toBe(2);
    checkAll(5, 9, true);
    expect(detector.samplesNeeded(host(1))).toBe(0);
  });

  test('stays partitioned until most of the latest samples respond, and reports each change once', () => {
    checkAll(1, 8, false);
    applyVerdict(1);
    applyVerdict(2);
    expect(changes).toEqual(['partitioned']);
    check(1, true);
    expect(detector.isPartitioned).toBe(true);
    checkAll(2, 5, true);
    expect(changes).toEqual(['partitioned', 'connected']);
  });

  test('drops samples after two check intervals', () => {
    checkAll(1, 6, false);
    nowMs += 121_000;
    check(7, false);
    expect(detector.classify(host(7))).toBe('unreachable');
  });

  describe('with six of nine hosts unresponsive', () => {
    const round = () => {
      const startMs = nowMs;
      checkAll(1, 6, false);
      checkAll(7, 9, true);
      nowMs = startMs + MINUTE;
    };
    beforeEach(() => {
      round();
      applyVerdict(1);
    });

    test('accepts the outage as real after other hosts responded throughout five minutes', () => {
      for (let minute = 1; minute < 5; minute += 1) round();
      expect(changes).toEqual(['partitioned']);
      round();
      round();
      expect(changes).toEqual(['partitioned', 'outage']);
    });

    test('classifies unresponsive hosts as unreachable after the outage is accepted', () => {
      detector.overrule();
      expect(changes).toEqual(['partitioned', 'outage']);
      expect(detector.classify(host(1))).toBe('unreachable');
    });
  });

  test('does not accept an outage when the only responding host was unresponsive in between', () => {
    const one = (hasResponded: boolean) => {
      const startMs = nowMs;
      checkAll(1, 6, false);
      check(7, hasResponded);
      nowMs = startMs + MINUTE;
    };
    one(true);
    applyVerdict(1);
    for (let minute = 1; minute < 10; minute += 1) one(minute % 3 !== 0);
    expect(changes).toEqual(['partitioned']);
  });

  test('stays partitioned in a large fleet while only hosts that never were unresponsive respond', () => {
    const round = () => {
      const startMs = nowMs;
      // 36 of 60 hosts are unresponsive. At times more than ten consecutive samples are responsive.
      for (const [from, to, hasResponded] of [
        [1, 18, false],
        [37, 60, true],
        [19, 36, false],
      ] as const)
        for (let index = from; index <= to; index += 1) {
          nowMs += 500;
          detector.recordSample(host(index), hasResponded);
        }
      nowMs = startMs + MINUTE;
    };
    round();
    applyVerdict(1);
    for (let minute = 1; minute < 5; minute += 1) round();
    expect(changes).toEqual(['partitioned']);
    round();
    round();
    expect(changes).toEqual(['partitioned', 'outage']);
  });

  test('is connected again once every host was checked and most responded', () => {
    const round = () => {
      const startMs = nowMs;
      checkAll(1, 5, false);
      checkAll(6, 20, true);
      nowMs = startMs + MINUTE;
    };
    checkAll(1, 5, false);
    applyVerdict(1);
    round();
    expect(changes).toEqual(['partitioned']);
    round();
    expect(changes).toEqual(['partitioned', 'connected']);
  });

  test('counts hosts that were already unresponsive when the server started', () => {
    checkAll(1, 6, false);
    checkAll(1, 6, false);
    expect(detector.classify(host(1))).toBe('partitioned');
  });

  describe('with three of forty hosts in flight and unresponsive', () => {
    const sampleUnresponsive = () => {
      nowMs += 1000;
      for (let index = 1; index <= 3; index += 1) detector.recordSample(host(index), false);
    };

    test('schedules corroborating checks after 5 s and then classifies the host every 5 s', () => {
      const actions: string[] = [];
      for (let second = 0; second < 20; second += 1) {
        sampleUnresponsive();
        const next = detector.nextActionForStep(host(1));
        if (next) actions.push(`${second} s: ${next}`);
      }
      expect(actions).toEqual(['5 s: schedule_checks', '10 s: classify', '15 s: classify']);
    });

    test('keeps a host confirmed as unresponsive until it responds', () => {
      sampleUnresponsive();
      detector.confirmUnresponsive(host(1));
      sampleUnresponsive();
      expect([1, 2].map(index => detector.isConfirmedUnresponsive(host(index)))).toEqual([true, false]);
      check(1, true);
      expect(detector.isConfirmedUnresponsive(host(1))).toBe(false);
    });

    test('counts responses since the hosts first became unresponsive', () => {
      sampleUnresponsive();
      expect(detector.samplesNeeded(host(3))).toBe(3);
      checkAll(4, 40, true);
      for (let second = 0; second < 60; second += 1) sampleUnresponsive();
      expect([detector.samplesNeeded(host(3)), detector.classify(host(3))]).toEqual([0, 'unreachable']);
    });
  });

  test('does not become partitioned again by hosts that a user declared down', () => {
    checkAll(1, 3, false);
    applyVerdict(1);
    detector.overrule();
    // Hosts 4 to 6 are checked for the first time after the overrule.
    checkAll(1, 6, false);
    nowMs += 10_000;
    expect([1, 6].map(index => detector.nextActionForStep(host(index)))).toEqual([undefined, undefined]);
    expect([1, 6].map(index => detector.isConfirmedUnresponsive(host(index)))).toEqual([true, true]);
    expect([1, 6].map(index => detector.classify(host(index)))).toEqual(['unreachable', 'unreachable']);
    expect(changes).toEqual(['partitioned', 'outage']);
  });

  test('never accepts an outage as real when no host responds', () => {
    for (let minute = 0; minute < 20; minute += 1) {
      const startMs = nowMs;
      checkAll(1, 3, false);
      if (minute === 0) applyVerdict(1);
      nowMs = startMs + MINUTE;
    }
    expect(changes).toEqual(['partitioned']);
  });
});
