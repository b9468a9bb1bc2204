// Runs an action for many hosts, with limited concurrency.
// Invariants: an error that concerns one host does not affect other hosts. An error that concerns the account or the
// server stops the run. Every host ends as done, rejected or not attempted.

import { MAX_CONCURRENT_REQUESTS } from '#sdk/client.ts';
import { isSingleHostError } from '#sdk/errors.ts';

export interface HostRejection {
  readonly address: string;
  readonly error: unknown;
}

export interface BulkProgress {
  readonly total: number;
  readonly done: number;
  readonly rejected: readonly HostRejection[];
  readonly notAttempted: readonly string[];
  readonly isFinished: boolean;
  /** Set if the run stopped early. */
  readonly error?: unknown;
}

export const unfinishedAddresses = ({ rejected, notAttempted }: BulkProgress): readonly string[] => [
  ...rejected.map(({ address }) => address),
  ...notAttempted,
];

const PROGRESS_INTERVAL_MS = 100;

export interface BulkOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BulkProgress) => void;
}

/** An abort starts no further requests. Active requests complete. */
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
    total: addresses.length,
    done,
    rejected: [...rejected],
    isFinished,
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
