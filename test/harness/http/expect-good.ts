import { expect } from 'vitest';
import { Problem } from '../../../src/contract/fields.ts';
import { compileSchema } from '../../../src/lib/schema.ts';
import type { RawAnswer } from './raw-connection.ts';

const errorsOf = compileSchema(Problem);

function expectProblem({ status, headers, body }: RawAnswer, isHead: boolean) {
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  if (isHead) return;
  const problem = JSON.parse(body.toString());
  expect(errorsOf(problem)).toEqual([]);
  expect(problem).toMatchObject({ status, request_id: headers.get('x-request-id') });
}

/** Whatever was asked: no failure of the service's own, and every refusal says what it is. */
export function expectGood(answer: RawAnswer, isHead = false) {
  expect(answer.status).toBeLessThan(500);
  if (answer.status >= 400) expectProblem(answer, isHead);
  else if (!isHead && /json/.test(answer.headers.get('content-type') ?? ''))
    JSON.parse(answer.body.toString());
}
