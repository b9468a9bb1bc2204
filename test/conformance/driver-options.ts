import { describe, expect, test } from 'vitest';
import type { RecordDriver } from '../../src/drivers/record-driver.ts';
import { compileSchema } from '../../src/lib/schema.ts';

interface Examples {
  readonly good: readonly (readonly [string, unknown])[];
  readonly bad: readonly (readonly [string, unknown, readonly string[]])[];
}

interface OptionSchema {
  readonly type?: unknown;
  readonly description?: unknown;
  readonly secret?: unknown;
  readonly items?: OptionSchema;
}

/** The items of an array carry its description. */
const findDescription = ({ description, items }: OptionSchema) => description ?? items?.description;

export function optionsConform({ type, summary, options }: RecordDriver, { good, bad }: Examples): void {
  const check = compileSchema(options);
  const properties: [string, OptionSchema][] = Object.entries(options.properties);
  const pathsOf = (value: unknown) => [...new Set(check(value).map(({ path }) => path))].sort();

  describe(`options of driver ${type}`, () => {
    test('belong to a driver with a type in snake_case and a summary', () => {
      expect(type).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      expect(summary).toMatch(/\S/);
    });

    test('must be an object', () => {
      expect(options.type).toBe('object');
      for (const value of [null, [], 'text', 1, undefined]) expect(pathsOf(value)).toEqual(['']);
    });

    test('reject unknown options', () => {
      expect(pathsOf({ ...Object(good[0]?.[1]), 'no such/option': 1 })).toEqual(['/no such~1option']);
    });

    test('describe each option', () => {
      for (const [name, schema] of properties) expect(findDescription(schema), name).toMatch(/^[A-Z].*\.$/);
    });

    test('mark only strings as secret', () => {
      for (const [name, schema] of properties) {
        if (schema.secret !== undefined) expect([schema.secret, schema.type], name).toEqual([true, 'string']);
      }
    });

    test.each(good)('accept %s', (_label, value) => {
      expect(check(value)).toEqual([]);
    });

    if (bad.length > 0) {
      test.each(bad)('reject %s', (_label, value, paths) => {
        expect(pathsOf(value)).toEqual([...paths].sort());
      });
    }
  });
}
