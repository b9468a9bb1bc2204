import { setTimeout as delay } from 'node:timers/promises';
import { Caller } from '../traffic/caller.ts';
import { errand } from '../traffic/errands.ts';
import type { Step } from '../traffic/steps.ts';
import { Routine } from './routine.ts';

const PAUSE_MS = 100;
/** What servers remember of callers is bounded by numbers that they would take hours to come to: so the same ones come again. */
export const ERRANDS = 1000;
const ANSWER_WITHIN_MS = 60_000;
const TRY_AGAIN_MS = 500;
const UNAVAILABLE = 503;

export interface Count {
  requests: number;
  /** How often somebody was told to try again, since the store could not be reached in time. */
  turnedAway: number;
}

/** One who runs errands at a server, patiently: what goes wrong is told, and the errand goes on, so that it clears up behind itself. */
export function caller(url: string, firstErrand: number, count: Count): Routine {
  const at = new Caller(url, ANSWER_WITHIN_MS);
  const take = async (step: Step): Promise<readonly string[]> => {
    count.requests += 1;
    const wrong = await at.take(step);
    if (wrong?.status !== UNAVAILABLE) return wrong ? [wrong.text] : [];
    count.turnedAway += 1;
    await delay(TRY_AGAIN_MS);
    return take(step);
  };
  return new Routine('an errand', PAUSE_MS, async number => {
    const problems: string[] = [];
    for (const step of errand(firstErrand + (number % ERRANDS))) problems.push(...(await take(step)));
    return problems;
  });
}
