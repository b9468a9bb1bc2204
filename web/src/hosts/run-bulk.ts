// The same asked for many hosts, a few at a time. What must hold: what is refused for one keeps no other from it; what concerns whoever
// asks, or the service, ends all; and of each host it is known whether it was done, refused or not asked.

import { isSingleHostError, MAX_CONCURRENT_REQUESTS } from '#sdk/client.ts';

export interface HostRejection {
  readonly address: string;
  readonly error: unknown;
}

export interface BulkProgress {
  readonly total: number;
  readonly done: number;
  readonly rejected: readonly HostRejection[];
  /** Nobody was asked for these. */
  readonly notAttempted: readonly string[];
  readonly isFinished: boolean;
  /** Why it ended before its end. */
  readonly error?: unknown;
}

/** Those that it was not done for. */
export const unfinishedAddresses = ({ rejected, notAttempted }: BulkProgress): readonly string[] => [
  ...rejected.map(({ address }) => address),
  ...notAttempted,
];

/** It is told no more often, however quickly it goes. */
const PROGRESS_INTERVAL_MS = 100;

/** Who hears how far it is, and what stops it. */
export interface BulkOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BulkProgress) => void;
}

/** Stopping begins no more; what is under way comes to its end. */
export async function runBulk(
  addresses: readonly string[],
  run: (address: string) => Promise<unknown>,
  { signal, onProgress }: BulkOptions,
): Promise<BulkProgress> {
  const rejected: HostRejection[] = [];
  const interrupted: string[] = [];
  let [next, done] = [0, 0];
  let lastProgressMs = 0;
  let failure: { readonly error: unknown } | undefined;
  const toProgress = (isFinished: boolean): BulkProgress => ({
    ...{ total: addresses.length, done, rejected: [...rejected], isFinished },
    notAttempted: [...interrupted, ...addresses.slice(next)],
    ...failure,
  });

  const runWorker = async () => {
    while (!signal.aborted && failure === undefined) {
      const address = addresses[next];
      if (address === undefined) return;
      next += 1;
      try {
        await run(address);
        done += 1;
      } catch (error) {
        if (isSingleHostError(error)) rejected.push({ address, error });
        else {
          interrupted.push(address);
          failure ??= { error };
        }
      }
      const nowMs = performance.now();
      if (nowMs - lastProgressMs < PROGRESS_INTERVAL_MS) continue;
      lastProgressMs = nowMs;
      onProgress(toProgress(false));
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_REQUESTS, addresses.length) }, runWorker));
  const result = toProgress(true);
  onProgress(result);
  return result;
}
