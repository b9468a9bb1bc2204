import { expect } from 'vitest';
import { Problem } from '../../../src/contract/fields.ts';
import { compileSchema } from '../../../src/lib/schema.ts';
import type { RawResponse } from './raw-connection.ts';
import { RawConnection } from './raw-connection.ts';

const NAVIGATION = { 'sec-fetch-mode': 'navigate', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Sends the headers of a browser navigation, which `fetch` cannot send. */
export async function navigate(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawResponse> {
  const connection = new RawConnection(url);
  const lines = Object.entries({ host: 'x', ...NAVIGATION, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  connection.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const response = await connection.nextResponse();
  connection.close();
  if (response === undefined) throw new Error(`no response to ${path}`);
  return response;
}

const validateProblem = compileSchema(Problem);

function expectProblem({ status, headers, body }: RawResponse, isHead: boolean) {
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  if (isHead) return;
  const problem = JSON.parse(body.toString());
  expect(validateProblem(problem)).toEqual([]);
  expect(problem).toMatchObject({ status, request_id: headers.get('x-request-id') });
}

/** Any request gets a status below 500, and every error is a valid problem document. */
export function expectValidResponse(response: RawResponse, isHead = false) {
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) expectProblem(response, isHead);
  else if (!isHead && /json/.test(response.headers.get('content-type') ?? '')) JSON.parse(response.body.toString());
}
