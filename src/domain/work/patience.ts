/** No pause is longer, unless hosts are checked even less often. */
export const LONGEST_PAUSE_MS = 300_000;

/** How long something that does not succeed is tried again. */
export interface Patience {
  readonly firstPauseMs: number;
  /** Pauses double up to this. */
  readonly longestPauseMs: number;
  /** Of trying and pausing; time in which nobody tried does not count. null: never. */
  readonly giveUpAfterMs: number | null;
}

/** How long to wait before the next try. `chance`, from 0 to 1, keeps many that failed together from coming back together. */
export const pauseMs = (
  { firstPauseMs, longestPauseMs }: Patience,
  attempts: number,
  chance: number,
): number => Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, attempts - 1)) * (0.5 + chance / 2);

export const isOutOfPatience = ({ giveUpAfterMs }: Patience, spentMs: number): boolean =>
  giveUpAfterMs !== null && spentMs >= giveUpAfterMs;
