// Labels as text: `key=value`, or only `key` if the value is empty.

export type Labels = Readonly<Record<string, string>>;

export const formatLabels = (labels: Labels): readonly string[] =>
  Object.entries(labels).map(([key, value]) => (value === '' ? key : `${key}=${value}`));

export function parseLabels(value: unknown): Labels {
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  // Events contain labels in the order in which they were sent; lists are sorted.
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, text]) => [key, typeof text === 'string' ? text : '']));
}

/** One label per line, or separated by commas. The server validates them. */
export function parseLabelLines(text: string): Labels {
  const lines = text.split(/[\n,]/).map(line => line.trim());
  return Object.fromEntries(
    lines.filter(Boolean).map(line => {
      const equals = line.indexOf('=');
      return equals === -1 ? [line, ''] : [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
    }),
  );
}

export const formatLabelLines = (labels: Labels): string => formatLabels(labels).join('\n');

/** `key` matches any value; `key=value` matches only this value. */
export function hasLabel(selector: string): (host: { readonly labels: Labels }) => boolean {
  const equals = selector.indexOf('=');
  const key = equals === -1 ? selector : selector.slice(0, equals);
  const value = equals === -1 ? undefined : selector.slice(equals + 1);
  return ({ labels }) => Object.hasOwn(labels, key) && (value === undefined || labels[key] === value);
}

export function updateLabels(labels: Labels, added: Labels, removed: readonly string[]): Record<string, string> {
  const remaining = Object.entries(labels).filter(([key]) => !removed.includes(key));
  return { ...Object.fromEntries(remaining), ...added };
}
