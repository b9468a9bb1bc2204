// Validates values against JSON Schemas and describes the errors for people. A schema can have a `rule`: the error
// message for a value that does not match the pattern of the schema or, for a union, any of its parts.

import type { TSchema } from 'typebox';
import { IsArray, IsObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { escapeKey, getAtPointer, isRecord } from './json.ts';
import { formatOrList } from './text.ts';

// The default stops after eight errors.
Settings.Set({ maxErrors: 100 });

interface SchemaError {
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

function constraintMessage(error: RawError): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${formatOrList([error.params.type].flat().map(type => TYPES[type] ?? type))}`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} entries`;
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
      return [{ path, message: 'is not a known field' }];
    // Each unknown or misnamed property also has an error of its own.
    case 'additionalProperties':
    case 'propertyNames':
      return [];
    default:
      return [{ path, message: findRule(schema, error.schemaPath) ?? constraintMessage(error) }];
  }
}

const isWithin = (error: RawError, union: RawError): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/anyOf/`) &&
  `${error.instancePath}/`.startsWith(`${union.instancePath}/`);

/** The errors of the parts that have the type of the value, if there are any. */
function errorsOfType(union: RawError, partErrors: readonly RawError[]): readonly RawError[] {
  const typeErrors = partErrors.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath,
  );
  const matching = partErrors.filter(
    error => !typeErrors.some(({ schemaPath }) => `${error.schemaPath}/`.startsWith(`${schemaPath}/`)),
  );
  return matching.length > 0 ? matching : typeErrors;
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
    ({ path, message }, index) => index === errors.findIndex(other => other.path === path && other.message === message),
  );

/** In longer lists only invalid entries are explained, up to this number. */
const MAX_ENTRIES = 50;

/** The original indexes of entries, by the pointer to their list. */
type Indexes = Map<string, readonly number[]>;

type Shorten = (value: unknown, at: string, indexes: Indexes) => unknown;

/** The library visits every entry, which blocks the event loop for a second with hundreds of thousands of entries. */
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

function originalPath(path: string, indexes: Indexes): string {
  for (const [at, invalid] of indexes) {
    const [, index, rest] = path.startsWith(`${at}/`) ? (/^(\d+)(.*)$/s.exec(path.slice(at.length + 1)) ?? []) : [];
    if (index !== undefined) return `${at}/${invalid[Number(index)]}${rest}`;
  }
  return path;
}

const validators = new WeakMap<TSchema, SchemaValidator>();

/** Compiles each schema object once, because many routes share schemas and all are compiled at the start. */
export function compileSchema(schema: TSchema): SchemaValidator {
  const validator = validators.get(schema) ?? createValidator(schema);
  validators.set(schema, validator);
  return validator;
}

function createValidator(schema: TSchema): SchemaValidator {
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
    // The filters above can remove all errors; an invalid value must still get one.
    return errors.length > 0 ? errors : [{ path: '', message: 'has too many errors to list' }];
  };
}
