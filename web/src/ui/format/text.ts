const NUMBER_FORMAT = new Intl.NumberFormat();

export const formatNumber = (count: number): string => NUMBER_FORMAT.format(count);

/** What so many are called: `host`, `hosts`. */
export const pluralize = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** A number with its noun: `1 host`, `12,000 hosts`. */
export const formatCount = (count: number, noun: string): string =>
  `${formatNumber(count)} ${pluralize(count, noun)}`;

/** The first of many names, and how many more there are. */
export function truncateList(names: readonly string[], limit: number): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}

/** Names of fields, and addresses, stay as they are. */
const isWord = (text: string) => /^[a-z]+(?=[ ,:]|$)/.test(text);

/** With a capital at its beginning. */
export const capitalize = (text: string): string =>
  isWord(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** What the service says, as a sentence: with a capital and a full stop. Nothing stays nothing. */
export const toSentence = (text: string): string =>
  text === '' || /[.!?]$/.test(text) ? capitalize(text) : `${capitalize(text)}.`;

/** Statuses that read better in other words. All others are shown as they are, with spaces. */
const STATUS_TEXTS: Readonly<Record<string, string>> = {
  armed: 'waiting to reboot',
  in_process: 'in progress',
  lagging: 'checks delayed',
  ok: 'OK',
  partitioned: 'network partition',
  preflight: 'in preflight',
};

/** A word of the API, such as the name of a step, as it stands within a sentence. */
export const toText = (name: string): string => name.replaceAll('_', ' ');

/** The same, alone: with a capital. */
export const toLabel = (name: string): string => capitalize(toText(name));

/** A status as it stands within a sentence. */
export const statusText = (status: string): string =>
  (Object.hasOwn(STATUS_TEXTS, status) ? STATUS_TEXTS[status] : undefined) ?? toText(status);

const STATUS_LABELS: Readonly<Record<string, string>> = { preflight: 'Preflight' };

/** The same, alone: with a capital. */
export const statusLabel = (status: string): string =>
  (Object.hasOwn(STATUS_LABELS, status) ? STATUS_LABELS[status] : undefined) ??
  capitalize(statusText(status));

/** A reason beside a status: without the word of the status at its beginning. */
export const stripStatusPrefix = (status: string, reason: string): string =>
  reason.startsWith(`${status}: `) ? reason.slice(status.length + 2) : reason;
