import type { Progress } from '../../client/operation-progress.ts';

/** So long nobody has to be told that no server answers: it may be a restart. */
export const TELL_SILENCE_AFTER_MS = 3000;

/** Whether it is time to say that no server answers. */
export const isSilent = ({ silentSinceMs }: Progress, nowMs: number): boolean =>
  silentSinceMs !== undefined && nowMs - silentSinceMs >= TELL_SILENCE_AFTER_MS;
