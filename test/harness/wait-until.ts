import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 20_000;
const PAUSE_MS = 10;

/**
 * Polls until the check returns a value. `description` names the condition in the timeout error and is
 * evaluated at the end.
 */
export async function waitUntil<Result>(
  description: string | (() => string),
  check: () => Result | undefined | false | Promise<Result | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<Result> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const result = await check();
    if (result !== undefined && result !== false) return result;
    if (performance.now() > deadline)
      throw new Error(
        `timed out after ${deadlineMs} ms: ${typeof description === 'string' ? description : description()}`,
      );
    await delay(PAUSE_MS);
  }
}
