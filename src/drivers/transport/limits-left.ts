import type { Limits } from './transport.ts';

/** What is left of the limits after so long; never nothing, so that it ends by itself and not before it began. */
export const limitsLeft = (limits: Limits, spentMs: number): Limits => ({
  ...limits,
  timeoutMs: Math.max(1, limits.timeoutMs - spentMs),
});
