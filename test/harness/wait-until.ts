import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 20_000;
/** The shortest pause, for conditions that hold only for a moment. */
export const MIN_PAUSE_MS = 10;
/** Most checks send a request, so that frequent checks would delay what they wait for. */
const MAX_PAUSE_MS = 100;

/**
 * Polls until the check returns a value. `description` names the condition in the timeout error and is
 * evaluated at the end. The pause between checks grows to `maxPauseMs`.
 */
export async function waitUntil<Result>(
  description: string | (() => string),
  check: () => Result | undefined | false | Promise<Result | undefined | false>,
  deadlineMs = DEADLINE_MS,
  maxPauseMs = MAX_PAUSE_MS,
): Promise<Result> {
  const deadline = performance.now() + deadlineMs;
  for (let pauseMs = MIN_PAUSE_MS; ; pauseMs = Math.min(1.5 * pauseMs, maxPauseMs)) {
    const result = await check();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > deadline)
      throw new Error(
        `timed out after ${deadlineMs} ms waiting for: ${typeof description === 'string' ? description : description()}`,
      );
    await delay(pauseMs);
  }
}
