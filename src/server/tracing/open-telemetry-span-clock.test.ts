import { expect, test } from 'vitest';
import { SpanClock } from './open-telemetry.ts';

const NOW_MS = 1_900_000_000_000;

test('SpanClock has a finer resolution than the wall clock and follows it when it is set', () => {
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

test('SpanClock does not jump if the process is interrupted between the two readings', () => {
  const time = { wallMs: NOW_MS, monotonicMs: 500 };
  let delayMs = 0;
  const current = () => {
    const { wallMs } = time;
    time.wallMs += delayMs;
    time.monotonicMs += delayMs;
    return wallMs;
  };
  const clock = new SpanClock({ now: current, monotonicMs: () => time.monotonicMs });
  const fractionMs = 0.75;
  time.monotonicMs += fractionMs;
  delayMs = 300;
  expect(clock.now()).toEqual([NOW_MS / 1000, 300_750_000]);
  delayMs = 0;
  expect(clock.now()).toEqual([NOW_MS / 1000, 300_750_000]);
});
