import { begun } from './sentence.ts';

/** Statuses that read better in other words. All others are shown as they are, with spaces. */
const STATUSES: Readonly<Record<string, string>> = {
  armed: 'waiting to reboot',
  in_process: 'in progress',
  lagging: 'checks delayed',
  ok: 'OK',
  partitioned: 'network partition',
  preflight: 'in preflight',
};

/** A word of the API, such as the name of a step, as it stands within a sentence. */
export const wordsOf = (word: string): string => word.replaceAll('_', ' ');

/** The same, alone: with a capital. */
export const labelOf = (word: string): string => begun(wordsOf(word));

/** A status as it stands within a sentence. */
export const statusWords = (status: string): string =>
  (Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined) ?? wordsOf(status);

const LABELS: Readonly<Record<string, string>> = { preflight: 'Preflight' };

/** The same, alone: with a capital. */
export const statusLabel = (status: string): string =>
  (Object.hasOwn(LABELS, status) ? LABELS[status] : undefined) ?? begun(statusWords(status));

/** A reason beside a status: without the word of the status at its beginning. */
export const reasonBeside = (status: string, reason: string): string =>
  reason.startsWith(`${status}: `) ? reason.slice(status.length + 2) : reason;
