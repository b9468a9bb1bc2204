/** Where time comes from. Everything that needs it is given one, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970, for what is shown and stored. */
  now(): number;
  /** Milliseconds that only ever rise, for measuring how long something takes. */
  monotonicMs(): number;
}

/** A clock that also wakes those who wait. */
export interface AlarmClock extends Clock {
  /** Calls back once, after so long. Answers what calls it off. */
  after(ms: number, callback: () => void): () => void;
}

/** Node's timers know no more; what is longer is called back too early, and looks again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: AlarmClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
