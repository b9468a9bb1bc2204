import type { Labels } from './fleet.ts';

/** `key=value` or `key`, one in each line or with commas in between. Whether they are labels the service says. */
export function readLabelLines(text: string): Labels {
  const lines = text.split(/[\n,]/).map(line => line.trim());
  return Object.fromEntries(
    lines.filter(Boolean).map(line => {
      const equals = line.indexOf('=');
      return equals === -1 ? [line, ''] : [line.slice(0, equals).trim(), line.slice(equals + 1).trim()];
    }),
  );
}

export const labelLines = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');

/** The labels with some set, and some taken away. */
export function changedLabels(
  labels: Labels,
  added: Labels,
  removed: readonly string[],
): Record<string, string> {
  const kept = Object.entries(labels).filter(([key]) => !removed.includes(key));
  return { ...Object.fromEntries(kept), ...added };
}
