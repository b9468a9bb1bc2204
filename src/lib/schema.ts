// Checks values against JSON Schemas and says what is wrong in words for people. Schemas may carry a `rule`: the sentence to
// say when a value does not keep to the schema's pattern or, for a union, to any of its parts.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { atPointer, escapeKey } from './json-pointer.ts';

// The default stops after eight; people want to know everything that is wrong.
Settings.Set({ maxErrors: 100 });

export interface SchemaError {
  /** A JSON Pointer into the value. */
  readonly path: string;
  readonly message: string;
}

export type SchemaCheck = (value: unknown) => readonly SchemaError[];

type RawError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

const ruleAt = (schema: TSchema, schemaPath: string): string | undefined => {
  const place = atPointer(schema, schemaPath);
  const rule = place !== null && typeof place === 'object' ? Reflect.get(place, 'rule') : undefined;
  return typeof rule === 'string' ? rule : undefined;
};

function explain(schema: TSchema, error: RawError): SchemaError[] {
  const here = error.instancePath;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map(key => ({
        path: `${here}/${escapeKey(key)}`,
        message: 'is required',
      }));
    case 'enum':
      return [
        {
          path: here,
          message: `must be one of ${error.params.allowedValues.map(v => JSON.stringify(v)).join(', ')}`,
        },
      ];
    case 'boolean':
      return [{ path: here, message: 'is not known' }];
    // Each unknown or misnamed property has an error of its own before it.
    case 'additionalProperties':
    case 'propertyNames':
      return [];
    default:
      return [{ path: here, message: ruleAt(schema, error.schemaPath) ?? error.message }];
  }
}

/** Where a union has a rule, that says enough: what its parts have against the value is left out. */
function worthSaying(schema: TSchema, errors: readonly RawError[]): readonly RawError[] {
  const parts = errors
    .filter(({ keyword, schemaPath }) => keyword === 'anyOf' && ruleAt(schema, schemaPath) !== undefined)
    .map(({ schemaPath }) => `${schemaPath}/anyOf/`);
  return errors.filter(({ schemaPath }) => !parts.some(part => schemaPath.startsWith(part)));
}

/** Compiles the schema once; the check answers every error, none for a good value. */
export function compileSchema(schema: TSchema): SchemaCheck {
  const compiled = Compile(schema);
  return value => {
    if (compiled.Check(value)) return [];
    const errors = worthSaying(schema, compiled.Errors(value)).flatMap(error => explain(schema, error));
    // More was wrong than is told: what was refused must not pass for want of words.
    return errors.length > 0 ? errors : [{ path: '', message: 'has more errors than can be told' }];
  };
}
