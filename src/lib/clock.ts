/** Where time comes from. Everything that needs it is given one, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970, for what is shown and stored. */
  now(): number;
  /** Milliseconds that only ever rise, for measuring how long something takes. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
