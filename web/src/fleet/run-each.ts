// The same asked for many hosts, a few at a time. What must hold: what is refused for one keeps no other from it; what concerns whoever
// asks, or the service, ends all; and of each host it is known whether it was done, refused or not asked.

import { isOfOneHost } from '#client/is-of-one-host.ts';
import { REQUESTS_AT_ONCE } from '#client/requests-at-once.ts';

export interface Refused {
  readonly address: string;
  readonly problem: unknown;
}

export interface Progress {
  readonly total: number;
  readonly done: number;
  readonly refused: readonly Refused[];
  /** Nobody was asked for these. */
  readonly left: readonly string[];
  readonly isOver: boolean;
  /** Why it ended before its end. */
  readonly problem?: unknown;
}

/** Those that it was not done for. */
export const undone = ({ refused, left }: Progress): readonly string[] => [
  ...refused.map(({ address }) => address),
  ...left,
];

/** It is told no more often, however quickly it goes. */
const TELL_EVERY_MS = 100;

/** Who hears how far it is, and what stops it. */
export interface Following {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Stopping begins no more; what is under way comes to its end. */
export async function runEach(
  addresses: readonly string[],
  ask: (address: string) => Promise<unknown>,
  { signal, onProgress }: Following,
): Promise<Progress> {
  const refused: Refused[] = [];
  const unasked: string[] = [];
  let [next, done] = [0, 0];
  let toldMs = 0;
  let failure: { readonly problem: unknown } | undefined;
  const progress = (isOver: boolean): Progress => ({
    ...{ total: addresses.length, done, refused: [...refused], isOver },
    left: [...unasked, ...addresses.slice(next)],
    ...failure,
  });

  const workOn = async () => {
    while (!signal.aborted && failure === undefined) {
      const address = addresses[next];
      if (address === undefined) return;
      next += 1;
      try {
        await ask(address);
        done += 1;
      } catch (problem) {
        if (isOfOneHost(problem)) refused.push({ address, problem });
        else {
          unasked.push(address);
          failure ??= { problem };
        }
      }
      const nowMs = performance.now();
      if (nowMs - toldMs < TELL_EVERY_MS) continue;
      toldMs = nowMs;
      onProgress(progress(false));
    }
  };
  await Promise.all(Array.from({ length: Math.min(REQUESTS_AT_ONCE, addresses.length) }, workOn));
  const end = progress(true);
  onProgress(end);
  return end;
}
