import type { Reads } from '../../store/records.ts';
import { inParts } from '../in-parts.ts';

/** How many are read at a time: some milliseconds' work. */
const WORDS_AT_A_TIME = 250;

interface WordPage {
  readonly after: string | undefined;
  readonly limit: number;
}

async function* words(read: (page: WordPage) => Promise<readonly string[]>): AsyncGenerator<string> {
  const readPart = async (page: WordPage) => {
    const items = await read(page);
    return { items, hasMore: items.length === page.limit };
  };
  for await (const part of inParts(readPart, word => word, { limit: WORDS_AT_A_TIME })) yield* part;
}

/** The keys of all labels that hosts have. */
export const labelKeys = ({ hostLabels }: Reads) => words(page => hostLabels.keys(page));

/** The values that a key has on them. */
export const labelValues = ({ hostLabels }: Reads, key: string) =>
  words(page => hostLabels.values(key, page));
