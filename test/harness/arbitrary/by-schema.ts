import fc from 'fast-check';
import { KNOWN } from './values.ts';

/** The words of JSON Schema that our schemas use. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
}

const seldom = (arbitrary: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const recordOf = (names: Schema, value: Schema = {}) =>
  fc.dictionary(fitting(names) as fc.Arbitrary<string>, fitting(value), { maxKeys: 5 });

/** Objects that keep to a schema; a field that is `undefined` is left out of JSON. */
export function objectOf(schema: Schema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], propertyNames } = schema;
  if (propertyNames) return recordOf(propertyNames, ...Object.values(schema.patternProperties ?? {}));
  const fields = Object.entries(properties).map(([field, schema]) => {
    const value = KNOWN[field] ?? fitting(schema);
    return [field, required.includes(field) ? value : seldom(value)] as const;
  });
  return fc.record(Object.fromEntries(fields));
}

/** Values that keep to a schema, or come near. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  switch (schema.type) {
    case 'string':
      return schema.pattern
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.string({ unit: 'binary', minLength: schema.minLength ?? 0 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2 ** 31 });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 5 });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue();
  }
}
