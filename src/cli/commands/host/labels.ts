import {
  LABEL_KEY_MESSAGE,
  LABEL_KEY_PATTERN,
  LABEL_VALUE_MESSAGE,
  LABEL_VALUE_PATTERN,
} from '../../../domain/vocabulary.ts';
import { usageProblem } from '../../cli-problem.ts';

const KEY = new RegExp(`^${LABEL_KEY_PATTERN}$`);
const VALUE = new RegExp(`^${LABEL_VALUE_PATTERN}$`);

export type Labels = Readonly<Record<string, string>>;

/** What becomes of labels: a value, or `undefined` for one that is taken away. */
export type LabelChanges = ReadonlyMap<string, string | undefined>;

function readChange(text: string): readonly [key: string, value: string | undefined] {
  const [, key = '', value] = /^([^=]*?)(?:-|=(.*))$/s.exec(text) ?? [];
  if (key === '')
    throw usageProblem(`invalid label "${text}": use key=value to set a label, key- to remove it`);
  if (!KEY.test(key)) throw usageProblem(`invalid label "${text}": the key ${LABEL_KEY_MESSAGE}`);
  if (value !== undefined && !VALUE.test(value))
    throw usageProblem(`invalid label "${text}": the value ${LABEL_VALUE_MESSAGE}`);
  return [key, value];
}

/** Read as kubectl does: `key=value` sets, `key-` takes away. */
export function readLabelChanges(given: readonly string[]): LabelChanges {
  const changes = new Map<string, string | undefined>();
  for (const text of given) {
    const [key, value] = readChange(text);
    if (changes.has(key)) throw usageProblem(`label "${key}" is given twice`);
    changes.set(key, value);
  }
  return changes;
}

export function changedLabels(labels: Labels, changes: LabelChanges): Record<string, string> {
  const all = new Map<string, string | undefined>([...Object.entries(labels), ...changes]);
  return Object.fromEntries([...all].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** As they are typed, to set one or to find hosts by it: `key` alone sets none, and finds hosts whatever its value. */
export const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
