import type { Command } from 'commander';
import { Option } from 'commander';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import {
  HOST_STATUSES,
  LABEL_KEY_MESSAGE,
  LABEL_KEY_PATTERN,
  LABEL_VALUE_MESSAGE,
  LABEL_VALUE_PATTERN,
} from '../../../domain/vocabulary.ts';
import { usageError } from '../../errors.ts';
import { parseLabelFilters } from '../../policy/policy-options.ts';

export interface HostFilter {
  readonly cluster?: string;
  readonly status?: HostStatus;
  readonly os?: string;
  readonly label?: readonly string[];
  readonly selector?: readonly string[];
}

export const withHostFilter = (command: Command): Command =>
  command
    .option('--cluster <cluster>', 'Filter by cluster')
    .addOption(new Option('--status <status>', 'Filter by status').choices(HOST_STATUSES))
    .option('--os <os>', 'Filter by operating system')
    .option(
      '-l, --label <key=value>',
      'Filter by labels, key=value or key (comma-separated or repeatable; all must match)',
      parseLabelFilters,
    )
    .option('--selector <labels>', 'The same as --label', parseLabelFilters);

export const hostQuery = ({ cluster, status, os, label, selector }: HostFilter) => ({
  ...{ cluster, status, os },
  label: label || selector ? [...(label ?? []), ...(selector ?? [])] : undefined,
});

const KEY = new RegExp(`^${LABEL_KEY_PATTERN}$`);
const VALUE = new RegExp(`^${LABEL_VALUE_PATTERN}$`);

export type Labels = Readonly<Record<string, string>>;

/** `undefined` removes the label. */
export type LabelChanges = ReadonlyMap<string, string | undefined>;

function parseLabelChange(text: string): readonly [key: string, value: string | undefined] {
  const [, key = '', value] = /^([^=]*?)(?:-|=(.*))$/s.exec(text) ?? [];
  if (key === '') throw usageError(`invalid label "${text}": use key=value to set a label, key- to remove it`);
  if (!KEY.test(key)) throw usageError(`invalid label "${text}": the key ${LABEL_KEY_MESSAGE}`);
  if (value !== undefined && !VALUE.test(value))
    throw usageError(`invalid label "${text}": the value ${LABEL_VALUE_MESSAGE}`);
  return [key, value];
}

/** The syntax of kubectl: `key=value` sets a label, `key-` removes it. */
export function parseLabelChanges(texts: readonly string[]): LabelChanges {
  const changes = new Map<string, string | undefined>();
  for (const text of texts) {
    const [key, value] = parseLabelChange(text);
    if (changes.has(key)) throw usageError(`label "${key}" is given twice`);
    changes.set(key, value);
  }
  return changes;
}

export function applyLabelChanges(labels: Labels, changes: LabelChanges): Record<string, string> {
  const all = new Map<string, string | undefined>([...Object.entries(labels), ...changes]);
  return Object.fromEntries([...all].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** With `key=` for an empty value, because `key` alone is a filter for any value. */
export const formatLabels = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
