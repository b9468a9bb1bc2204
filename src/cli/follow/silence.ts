import type { Progress } from '../../client/operation-progress.ts';

export const NO_SERVER_RESPONDS = 'no server responds, retrying';

/** No message before this time: the server may be restarting. */
export const TELL_SILENCE_AFTER_MS = 3000;

/** Whether to show that no server responds. */
export const isSilent = ({ silentSinceMs }: Progress, nowMs: number): boolean =>
  silentSinceMs !== undefined && nowMs - silentSinceMs >= TELL_SILENCE_AFTER_MS;
