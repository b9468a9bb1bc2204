import type { Static, TSchema } from 'typebox';
import { compileSchema } from '../../lib/schema.ts';
import { RemoteServerError } from './remote-error.ts';

/** Returns a parser that throws if a value does not match the schema. The schema is compiled on first use. */
export function schemaParser<S extends TSchema>(label: string, schema: S): (value: unknown) => Static<S> {
  let check: ReturnType<typeof compileSchema> | undefined;
  const isValid = (value: unknown): value is Static<S> => {
    check ??= compileSchema(schema);
    return check(value).length === 0;
  };
  return value => {
    if (isValid(value)) return value;
    const [error] = check?.(value) ?? [];
    throw new RemoteServerError('unreadable', `cannot parse ${label}: ${error?.path || 'the value'} ${error?.message}`);
  };
}

/** Returns a parser with a fallback, for bodies that can come from an intermediary such as a proxy. */
export function schemaParserOr<S extends TSchema>(schema: S, fallback: Static<S>): (value: unknown) => Static<S> {
  const read = schemaParser('it', schema);
  return value => {
    try {
      return read(value);
    } catch {
      return fallback;
    }
  };
}
