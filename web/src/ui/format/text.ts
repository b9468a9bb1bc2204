const NUMBER_FORMAT = new Intl.NumberFormat();

export const formatNumber = (count: number): string => NUMBER_FORMAT.format(count);

export const pluralize = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** `1 host`, `12,000 hosts`. */
export const formatCount = (count: number, noun: string): string => `${formatNumber(count)} ${pluralize(count, noun)}`;

/** `a, b and 3 more`. */
export function truncateList(names: readonly string[], limit: number): string {
  const more = names.length - limit;
  return `${names.slice(0, limit).join(', ')}${more > 0 ? ` and ${formatNumber(more)} more` : ''}`;
}

/** False for field names and addresses, which must not be capitalized. */
const isWord = (text: string) => /^[a-z]+(?=[ ,:]|$)/.test(text);

export const capitalize = (text: string): string =>
  isWord(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** Capitalizes a message of the server and adds a full stop. An empty text stays empty. */
export const toSentence = (text: string): string =>
  text === '' || /[.!?]$/.test(text) ? capitalize(text) : `${capitalize(text)}.`;

/** Statuses with another text. Other statuses are shown by their name, with spaces. */
const STATUS_TEXTS: Readonly<Record<string, string>> = {
  armed: 'waiting to reboot',
  in_process: 'in progress',
  lagging: 'checks delayed',
  ok: 'OK',
  partitioned: 'network partition',
  preflight: 'in preflight',
};

/** An API name for use inside a sentence. */
export const toText = (name: string): string => name.replaceAll('_', ' ');

/** The same with a capital, for use as a label. */
export const toLabel = (name: string): string => capitalize(toText(name));

/** A status for use inside a sentence. */
export const statusText = (status: string): string =>
  (Object.hasOwn(STATUS_TEXTS, status) ? STATUS_TEXTS[status] : undefined) ?? toText(status);

const STATUS_LABELS: Readonly<Record<string, string>> = { preflight: 'Preflight' };

/** The same with a capital, for use as a label. */
export const statusLabel = (status: string): string =>
  (Object.hasOwn(STATUS_LABELS, status) ? STATUS_LABELS[status] : undefined) ?? capitalize(statusText(status));

/** Removes the status from the start of a reason that is shown next to it. */
export const stripStatusPrefix = (status: string, reason: string): string =>
  reason.startsWith(`${status}: `) ? reason.slice(status.length + 2) : reason;
