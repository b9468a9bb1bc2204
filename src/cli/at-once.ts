/** Does the same for many, a few at a time; answers what came of each, in their order. */
export async function atOnce<T, Result>(
  most: number,
  all: readonly T[],
  work: (each: T) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const workOn = async () => {
    while (next < all.length) {
      const index = next++;
      results[index] = await work(all[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, workOn));
  return results;
}
