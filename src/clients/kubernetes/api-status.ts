import type { Static } from 'typebox';
import Type from 'typebox';
import { readingOr } from '../reading.ts';

const schema = Type.Object({
  message: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      retryAfterSeconds: Type.Optional(Type.Number()),
      causes: Type.Optional(Type.Array(Type.Object({ message: Type.Optional(Type.String()) }))),
    }),
  ),
  code: Type.Optional(Type.Number()),
});

/** What the API says with everything that it refuses. All of it is foreign text. */
export type ApiStatus = Static<typeof schema>;

/** Empty where something else has answered, such as a load balancer. */
export const apiStatusOf: (body: unknown) => ApiStatus = readingOr(schema, {});
