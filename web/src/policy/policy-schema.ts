// What is said of a wrong value: the rule that the contract has for the field.

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

/** Numbers of hosts, by their minimum. */
const AMOUNTS: Partial<Record<DraftField, number>> = { max_unavailable: 1, max_excluded: 1, max_failures: 0 };

/** As a sentence begins; what the service says of a field stands in the same place. */
export function ruleOf(field: DraftField): string {
  const least = AMOUNTS[field];
  if (least !== undefined)
    return `Enter a number from ${least} to 1,000,000 or a percentage from ${least}% to 100%`;
  return begun(textIn(schemaAt(pathOf(field)), 'rule') || 'invalid value');
}
