import { REQUESTS_AT_ONCE } from '../client/requests-at-once.ts';

/**
 * Does the same for many, a few at a time; answers what came of each, in their order. When one throws, what is under way ends, nothing
 * more is begun, and the first that was thrown goes on.
 */
export async function atOnce<T, Result>(
  all: readonly T[],
  work: (each: T) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const workOn = async () => {
    while (next < all.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(all[index] as T);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(REQUESTS_AT_ONCE, all.length) }, workOn));
  if (failures.length > 0) throw failures[0];
  return results;
}
