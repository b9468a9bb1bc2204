// Checks values against JSON Schemas and says what is wrong in words for people. Schemas may carry a `rule`: the sentence to
// say when a value does not keep to the schema's pattern.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';

// The default stops after eight; people want to know everything that is wrong.
Settings.Set({ maxErrors: 100 });

export interface SchemaError {
  /** A JSON Pointer into the value. */
  readonly path: string;
  readonly message: string;
}

export type SchemaCheck = (value: unknown) => readonly SchemaError[];

type RawError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

const at = (schema: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (place, key) => (place !== null && typeof place === 'object' ? Reflect.get(place, key) : undefined),
      schema,
    );

const ruleAt = (schema: TSchema, schemaPath: string): string | undefined => {
  const place = at(schema, schemaPath);
  const rule = place !== null && typeof place === 'object' ? Reflect.get(place, 'rule') : undefined;
  return typeof rule === 'string' ? rule : undefined;
};

const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

function explain(schema: TSchema, error: RawError): SchemaError[] {
  const here = error.instancePath;
  const each = (keys: readonly string[], message: string) =>
    keys.map(key => ({ path: `${here}/${escapeKey(key)}`, message }));
  switch (error.keyword) {
    case 'required':
      return each(error.params.requiredProperties, 'is required');
    case 'additionalProperties':
      return each(error.params.additionalProperties, 'is not known');
    case 'enum':
      return [
        {
          path: here,
          message: `must be one of ${error.params.allowedValues.map(v => JSON.stringify(v)).join(', ')}`,
        },
      ];
    // Said better by the error about the same place that comes with it.
    case 'boolean':
    case 'const':
      return [];
    default:
      return [{ path: here, message: ruleAt(schema, error.schemaPath) ?? error.message }];
  }
}

/** Compiles the schema once; the check answers every error, none for a good value. */
export function compileSchema(schema: TSchema): SchemaCheck {
  const compiled = Compile(schema);
  return value =>
    compiled.Check(value) ? [] : compiled.Errors(value).flatMap(error => explain(schema, error));
}
