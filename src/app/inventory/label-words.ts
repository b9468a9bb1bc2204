import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reads } from '../../store/records.ts';

/** How many are read at a time: some milliseconds' work. */
const WORDS_AT_A_TIME = 250;

interface WordPage {
  readonly after: string | undefined;
  readonly limit: number;
}

async function* inParts(read: (page: WordPage) => Promise<readonly string[]>): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const words = await read({ after, limit: WORDS_AT_A_TIME });
    yield* words;
    await nextTurn();
    if (words.length < WORDS_AT_A_TIME) return;
    after = words.at(-1);
  }
}

/** The keys of all labels that hosts have. */
export const labelKeys = ({ hostLabels }: Reads) => inParts(page => hostLabels.keys(page));

/** The values that a key has on them. */
export const labelValues = ({ hostLabels }: Reads, key: string) =>
  inParts(page => hostLabels.values(key, page));
