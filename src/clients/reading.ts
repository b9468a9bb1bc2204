import type { Static, TSchema } from 'typebox';
import { compileSchema } from '../lib/schema.ts';
import { ServerFailure } from './server-failure.ts';

/** Parses what a server has said: what it does not look like is told by throwing. The schema is compiled when it is first needed. */
export function reading<S extends TSchema>(what: string, schema: S): (value: unknown) => Static<S> {
  let check: ReturnType<typeof compileSchema> | undefined;
  const isRight = (value: unknown): value is Static<S> => {
    check ??= compileSchema(schema);
    return check(value).length === 0;
  };
  return value => {
    if (isRight(value)) return value;
    const [wrong] = check?.(value) ?? [];
    throw new ServerFailure(
      'unreadable',
      `cannot parse ${what}: ${wrong?.path || 'the value'} ${wrong?.message}`,
    );
  };
}

/** The same for what may come from anybody, such as a refusal of a proxy: what it does not look like counts as `otherwise`. */
export function readingOr<S extends TSchema>(schema: S, otherwise: Static<S>): (value: unknown) => Static<S> {
  const read = reading('it', schema);
  return value => {
    try {
      return read(value);
    } catch {
      return otherwise;
    }
  };
}
