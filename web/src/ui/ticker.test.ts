import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Ticker } from './ticker.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('Ticker', () => {
  test('uses one timer for all listeners and none without listeners', () => {
    const ticker = new Ticker();
    const unsubscribes = [ticker.subscribe(() => {}), ticker.subscribe(() => {})];
    expect(vi.getTimerCount()).toBe(1);
    for (const unsubscribe of unsubscribes) unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('notifies listeners every second and returns the same time in between', () => {
    const ticker = new Ticker();
    const ticks: number[] = [];
    expect(ticker.nowMs()).toBe(10_000);
    ticker.subscribe(() => ticks.push(ticker.nowMs()));
    vi.advanceTimersByTime(900);
    expect(ticker.nowMs()).toBe(10_000);
    vi.advanceTimersByTime(1300);
    expect(ticks).toEqual([11_000, 12_000]);
    expect(ticker.nowMs()).toBe(12_000);
  });

  test('returns the current time without listeners', () => {
    const ticker = new Ticker();
    ticker.subscribe(() => {})();
    vi.advanceTimersByTime(60_000);
    expect(ticker.nowMs()).toBe(70_000);
  });

  test('serverNowMs adds the offset of the server clock', () => {
    const ticker = new Ticker();
    ticker.setOffset(() => 5000);
    expect([ticker.nowMs(), ticker.serverNowMs()]).toEqual([10_000, 15_000]);
  });
});
