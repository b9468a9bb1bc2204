// What the contract says of each field of a policy: its description is the hint beside the field, its rule what is said of a wrong value.

import { duration } from '#client/times.ts';
import { PolicyWish } from '#contract/policy.ts';
import { begun } from '../ui/words/sentence.ts';
import type { DraftField } from './policy-draft.ts';

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** A field of an object, also where the object is one of several shapes. */
function within(schema: unknown, field: string): Schema | undefined {
  if (!isSchema(schema)) return undefined;
  const { properties, anyOf } = schema;
  if (isSchema(properties) && isSchema(properties[field])) return properties[field];
  const shapes: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return shapes.map(shape => within(shape, field)).find(found => found !== undefined);
}

/** Fields that are objects: in a form their parts stand as `drain_timeout_s`. */
const PARTED = ['drain', 'window', 'timeouts'];

function pathOf(field: DraftField): readonly string[] {
  const whole = PARTED.find(name => field.startsWith(`${name}_`));
  const name = field.replace(/_rule$/, '');
  return whole === undefined || name === whole ? [name] : [whole, field.slice(whole.length + 1)];
}

const schemaAt = (path: readonly string[]) => path.reduce<Schema | undefined>(within, { ...PolicyWish });

const textIn = (schema: Schema | undefined, name: string) => {
  const text = schema?.[name];
  return typeof text === 'string' ? text.replaceAll('`', '') : '';
};

export const hintOf = (field: DraftField): string =>
  textIn(schemaAt(pathOf(field)), 'description').replace('Default null: ', 'Default: ');

/** As a sentence begins; what the service says of a field stands in the same place. */
export function ruleOf(field: DraftField): string {
  return begun(textIn(schemaAt(pathOf(field)), 'rule') || 'invalid value');
}

/** Defaults that the form has other words for. */
const WORDS: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  address: 'By address',
  'at any time': 'Always open',
  count: 'Count as unavailable',
  fail: 'Fail the operation',
};

/** The end of a description, as people say it; empty where it depends on something, so that the whole of it is needed. */
function defaultIn(schema: Schema | undefined): string {
  const [before = '', text = '', ...others] = textIn(schema, 'description').split(/\bdefault:? /i);
  if (others.length > 0 || /[:;] $/.test(before)) return '';
  const plain = text.replace(/^null: /, '').replace(/\.$/, '');
  const isSeconds = textIn(schema, 'rule').includes('seconds') && /^\d+$/.test(plain);
  return isSeconds ? duration(Number(plain) * 1000) : (WORDS[plain] ?? begun(plain));
}

/** What holds where nothing is set, as the contract says it. */
export function defaultWords(name: string): string {
  const schema = schemaAt([name]);
  const properties = schema?.['properties'];
  if (isSchema(properties))
    return Object.keys(properties)
      .map(part => `${part} ${defaultIn(schemaAt([name, part]))}`)
      .join(', ')
      .concat(' (default)');
  const words = defaultIn(schema);
  return words === '' ? textIn(schema, 'description').replace(/\.$/, '') : `${words} (default)`;
}
