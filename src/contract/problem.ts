import Type from 'typebox';

/** Error response, `application/problem+json` (RFC 9457). */
export const Problem = Type.Object({
  type: Type.String({ description: 'Relative URI reference to the documentation of `code`.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What is wrong with this request, and how to fix it.' }),
  code: Type.String({ description: 'Stable error code in snake_case.' }),
  request_id: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ description: 'JSON Pointer (RFC 6901) to the invalid value.' }),
        message: Type.String(),
      }),
      { description: 'Invalid fields. For `host_conflict`: fields that differ from the enrolled host.' },
    ),
  ),
});
export type Problem = Type.Static<typeof Problem>;
