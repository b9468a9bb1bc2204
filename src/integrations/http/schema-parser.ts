import type { Static, TSchema } from 'typebox';
import { compileSchema } from '../../lib/schema.ts';
import { RemoteServerError } from './remote-error.ts';

/** Parses what a server has said: what it does not look like is told by throwing. The schema is compiled when it is first needed. */
export function schemaParser<S extends TSchema>(what: string, schema: S): (value: unknown) => Static<S> {
  let check: ReturnType<typeof compileSchema> | undefined;
  const isValid = (value: unknown): value is Static<S> => {
    check ??= compileSchema(schema);
    return check(value).length === 0;
  };
  return value => {
    if (isValid(value)) return value;
    const [error] = check?.(value) ?? [];
    throw new RemoteServerError(
      'unreadable',
      `cannot parse ${what}: ${error?.path || 'the value'} ${error?.message}`,
    );
  };
}

/** The same for what may come from anybody, such as a refusal of a proxy: what it does not look like counts as `otherwise`. */
export function schemaParserOr<S extends TSchema>(
  schema: S,
  fallback: Static<S>,
): (value: unknown) => Static<S> {
  const read = schemaParser('it', schema);
  return value => {
    try {
      return read(value);
    } catch {
      return fallback;
    }
  };
}
