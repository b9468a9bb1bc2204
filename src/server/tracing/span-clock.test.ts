import { expect, test } from 'vitest';
import { SpanClock } from './open-telemetry.ts';

const NOW_MS = 1_900_000_000_000;

test('it is finer than the wall clock, and follows it when that is set', () => {
  const time = { wallMs: NOW_MS, monotonicMs: 500.25 };
  const clock = new SpanClock({ now: () => time.wallMs, monotonicMs: () => time.monotonicMs });
  time.monotonicMs += 0.5;
  expect(clock.now()).toEqual([NOW_MS / 1000, 500_000]);
  expect(clock.now(250)).toEqual([NOW_MS / 1000 - 1, 750_500_000]);
  expect(clock.at(500.5)).toEqual([NOW_MS / 1000, 250_000]);
  time.monotonicMs += 1000;
  time.wallMs += 1000 + 3_600_000;
  expect(clock.now()).toEqual([NOW_MS / 1000 + 3601, 0]);
});

test('it does not go back when the process has to wait between reading one clock and the other', () => {
  const time = { wallMs: NOW_MS, monotonicMs: 500 };
  let waitsMs = 0;
  const now = () => {
    const { wallMs } = time;
    time.wallMs += waitsMs;
    time.monotonicMs += waitsMs;
    return wallMs;
  };
  const clock = new SpanClock({ now, monotonicMs: () => time.monotonicMs });
  const finer = 0.75;
  time.monotonicMs += finer;
  waitsMs = 300;
  expect(clock.now()).toEqual([NOW_MS / 1000, 300_750_000]);
  waitsMs = 0;
  expect(clock.now()).toEqual([NOW_MS / 1000, 300_750_000]);
});
