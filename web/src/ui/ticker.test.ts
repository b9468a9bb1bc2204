import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Ticker } from './ticker.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 10_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('Ticker', () => {
  it('has one timer for all, and none when nobody listens', () => {
    const ticker = new Ticker();
    const unsubscribes = [ticker.subscribe(() => {}), ticker.subscribe(() => {})];
    expect(vi.getTimerCount()).toBe(1);
    for (const unsubscribe of unsubscribes) unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells everybody each second, and the same time to all in between', () => {
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

  it('is not of the past when somebody looks after a while', () => {
    const ticker = new Ticker();
    ticker.subscribe(() => {})();
    vi.advanceTimersByTime(60_000);
    expect(ticker.nowMs()).toBe(70_000);
  });

  it('goes by the clock of the service', () => {
    const ticker = new Ticker();
    ticker.setOffset(() => 5000);
    expect([ticker.nowMs(), ticker.serverNowMs()]).toEqual([10_000, 15_000]);
  });
});
