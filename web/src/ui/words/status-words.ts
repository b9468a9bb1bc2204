import { begun } from './sentence.ts';

/** Words of the API that read better in other words. All others are shown as they are, with spaces. */
const WORDS: Readonly<Record<string, string>> = {
  armed: 'waiting to reboot',
  behind: 'checks delayed',
  in_process: 'in progress',
  lagging: 'checks delayed',
  partitioned: 'network partition',
  pending: 'waiting',
  preflight: 'in preflight',
};

/** A word of the API as it stands within a sentence. */
export const wordsOf = (word: string): string =>
  (Object.hasOwn(WORDS, word) ? WORDS[word] : undefined) ?? word.replaceAll('_', ' ');

/** The same, alone: with a capital. */
export const statusLabel = (word: string): string => begun(wordsOf(word));
