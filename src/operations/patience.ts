import type { Patience } from '../domain/work/patience.ts';
import { LONGEST_PAUSE_MS } from '../domain/work/patience.ts';

const S = 1000;
const MIN = 60 * S;
const HOUR = 60 * MIN;

/** For a host: what fails for so long will not pass by itself. */
export const withAHost = (giveUpAfterMs: number): Patience => ({
  firstPauseMs: 2 * S,
  longestPauseMs: MIN,
  giveUpAfterMs,
});

/** For a phase of an operation: looked at often enough that nobody waits for us, for as long as its policy says. */
export const inAPhase = (withinS: number): Patience => ({
  firstPauseMs: S,
  longestPauseMs: 10 * S,
  giveUpAfterMs: withinS * S,
});

/** For a host that goes down and comes up again. */
export const whileItBoots = (withinS: number): Patience => ({
  firstPauseMs: S / 2,
  longestPauseMs: 2 * S,
  giveUpAfterMs: withinS * S,
});

/** For the servers of a container manager or a network: they may be away for as long as they like. */
export const WITH_A_MANAGER: Patience = {
  firstPauseMs: 2 * S,
  longestPauseMs: LONGEST_PAUSE_MS,
  giveUpAfterMs: null,
};

/** A host that has left, and was not reached for so long, is left as it is. */
export const LONG_ENOUGH_MS = HOUR;

/** For a host that has left: its steps end by themselves after as long as that, since what comes behind them is still to be done. */
export const WITH_A_FORMER_HOST: Patience = { ...WITH_A_MANAGER, longestPauseMs: MIN };

/** For those that a host has left: perhaps they are gone for good. */
export const WITH_A_FORMER_MANAGER: Patience = { ...WITH_A_MANAGER, giveUpAfterMs: 24 * HOUR };
