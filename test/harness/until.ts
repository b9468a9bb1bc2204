import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 20_000;
const PAUSE_MS = 10;

/** Asks again and again until there is an answer; `what` is what was waited for in vain, as it is in the end. */
export async function until<Answer>(
  what: string | (() => string),
  ask: () => Answer | undefined | false | Promise<Answer | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<Answer> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline)
      throw new Error(`in vain, for ${deadlineMs} ms: ${typeof what === 'string' ? what : what()}`);
    await delay(PAUSE_MS);
  }
}
