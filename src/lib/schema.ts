// Checks values against JSON Schemas and describes what is wrong for people. A schema can have a `rule`: the error message for a value
// that does not match the pattern of the schema or, for a union, any of its parts.

import type { TSchema } from 'typebox';
import { IsArray, IsObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { escapeKey, getAtPointer, isRecord } from './json.ts';
import { formatOrList } from './text.ts';

// The default stops after eight; people want to know everything that is wrong.
Settings.Set({ maxErrors: 100 });

export interface SchemaError {
  /** A JSON Pointer into the value. */
  readonly path: string;
  readonly message: string;
}

export type SchemaValidator = (value: unknown) => readonly SchemaError[];

type RawError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

const findRule = (schema: TSchema, schemaPath: string): string | undefined => {
  const node = getAtPointer(schema, schemaPath);
  const rule = node !== null && typeof node === 'object' ? Reflect.get(node, 'rule') : undefined;
  return typeof rule === 'string' ? rule : undefined;
};

const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

const typeText = (type: string): string => TYPES[type] ?? type;

/** The message for a schema without a rule. */
function constraintMessage(error: RawError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${formatOrList([error.params.type].flat().map(typeText))}`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minLength':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'minItems':
      return error.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${error.params.limit} entries`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${error.params.limit} entries`;
    case 'const':
      return `must be ${error.params.allowedValue}`;
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    default:
      return error.message;
  }
}

function toSchemaErrors(schema: TSchema, error: RawError): SchemaError[] {
  const path = error.instancePath;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map(key => ({
        path: `${path}/${escapeKey(key)}`,
        message: 'is required',
      }));
    case 'dependentRequired':
      return error.params.dependencies.map(key => ({
        path: `${path}/${escapeKey(key)}`,
        message: `is required with ${error.params.property}`,
      }));
    case 'boolean':
      return [{ path: path, message: 'is not a known field' }];
    // Each unknown or misnamed property has an error of its own before it.
    case 'additionalProperties':
    case 'propertyNames':
      return [];
    default:
      return [{ path: path, message: findRule(schema, error.schemaPath) ?? constraintMessage(error) }];
  }
}

/** Whether an error is of a part of this union, which is the parent of its errors. */
const isWithin = (error: RawError, union: RawError): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`) &&
  `${error.instancePath}/`.startsWith(`${union.instancePath}/`);

/** The errors of a union without a rule: those of the parts that have the type of the value, if there are any. */
function errorsOfType(union: RawError, partErrors: readonly RawError[]): readonly RawError[] {
  const others = partErrors.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath,
  );
  const fitting = partErrors.filter(
    error => !others.some(({ schemaPath }) => `${error.schemaPath}/`.startsWith(`${schemaPath}/`)),
  );
  return fitting.length > 0 ? fitting : others;
}

/** For a union with a rule, the rule replaces the errors of the parts. */
function dropUnionDetails(schema: TSchema, errors: readonly RawError[]): readonly RawError[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  const dropped = new Set(
    unions.flatMap(union => {
      const partErrors = errors.filter(error => isWithin(error, union));
      if (findRule(schema, union.schemaPath) !== undefined) return partErrors;
      const relevant = errorsOfType(union, partErrors);
      return [union, ...partErrors.filter(error => !relevant.includes(error))];
    }),
  );
  return errors.filter(error => !dropped.has(error));
}

/** A value can break several constraints that have the same rule. */
const dropRepeats = (errors: readonly SchemaError[]): readonly SchemaError[] =>
  errors.filter(
    ({ path, message }, index) =>
      index === errors.findIndex(other => other.path === path && other.message === message),
  );

/** Of a list that is longer than this, only wrong entries are explained, and no more than this many. */
const MAX_ENTRIES = 50;

/** By the pointer to a list: the indexes that its entries had. */
type Indexes = Map<string, readonly number[]>;

/** Returns the value without those entries of long lists that are valid, and notes where the others were. */
type Shorten = (value: unknown, at: string, indexes: Indexes) => unknown;

/**
 * The library visits each entry of a list to explain errors, also after it has found the most that it returns. With hundreds of thousands of entries
 * that takes a second, in which no other request is served.
 */
function createShortener(schema: TSchema): Shorten {
  if (IsArray(schema)) {
    const entry = Compile(schema.items);
    return (value, at, indexes) => {
      if (!Array.isArray(value) || value.length <= MAX_ENTRIES) return value;
      const invalid: number[] = [];
      for (let index = 0; index < value.length && invalid.length < MAX_ENTRIES; index += 1)
        if (!entry.Check(value[index])) invalid.push(index);
      if (invalid.length === 0) return value;
      indexes.set(at, invalid);
      return invalid.map(index => value[index]);
    };
  }
  if (!IsObject(schema)) return value => value;
  const properties = Object.entries(schema.properties).map(
    ([key, property]) => [key, createShortener(property)] as const,
  );
  return (value, at, indexes) => {
    if (!isRecord(value)) return value;
    const copy = { ...value };
    for (const [key, shorten] of properties)
      if (Object.hasOwn(copy, key)) copy[key] = shorten(copy[key], `${at}/${escapeKey(key)}`, indexes);
    return copy;
  };
}

/** The pointer into the value as it was sent. */
function originalPath(path: string, indexes: Indexes): string {
  for (const [at, invalid] of indexes) {
    const [, index, rest] = path.startsWith(`${at}/`)
      ? (/^(\d+)(.*)$/s.exec(path.slice(at.length + 1)) ?? [])
      : [];
    if (index !== undefined) return `${at}/${invalid[Number(index)]}${rest}`;
  }
  return path;
}

/** Compiles the schema once; the check returns the errors, none for a valid value. */
export function compileSchema(schema: TSchema): SchemaValidator {
  const compiled = Compile(schema);
  const shorten = createShortener(schema);
  return value => {
    if (compiled.Check(value)) return [];
    const indexes: Indexes = new Map();
    const short = shorten(value, '', indexes);
    const errors = dropRepeats(
      dropUnionDetails(schema, compiled.Errors(short))
        .flatMap(error => toSchemaErrors(schema, error))
        .map(({ path, message }) => ({ path: originalPath(path, indexes), message })),
    );
    // All errors that the library returned can be omitted above; an invalid value must still get an error.
    return errors.length > 0 ? errors : [{ path: '', message: 'has too many errors to list' }];
  };
}
