import Type from 'typebox';

/** Every refusal, as `application/problem+json` (RFC 9457). */
export const Problem = Type.Object({
  type: Type.String({ description: 'A relative reference to the documentation of `code`.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What is wrong here, and what to do about it.' }),
  code: Type.String({ description: 'Stable, snake_case.' }),
  request_id: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ description: 'A JSON Pointer (RFC 6901).' }),
        message: Type.String(),
      }),
    ),
  ),
});
export type Problem = Type.Static<typeof Problem>;
