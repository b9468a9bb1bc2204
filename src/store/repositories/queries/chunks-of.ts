/** How many rows or addresses one statement names: engines bound the parameters of a statement, SQLite at 32,766. */
const CHUNK = 1000;

export const chunksOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  );
