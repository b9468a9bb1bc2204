import { expect, test } from 'vitest';
import { ApiError, isRetryable, isSingleHostError, ServiceUnreachableError, toApiError } from './errors.ts';

const responseError = (status: number, headers = {}) =>
  toApiError({ status, statusText: '', headers: new Headers(headers) }, '');

test.each([
  ['5', 5],
  ['0', 0],
  [undefined, undefined],
  ['Thu, 19 Nov 2026 22:03:00 GMT', undefined],
])('toApiError() reads Retry-After: %s', (value, expected) => {
  const headers = value === undefined ? {} : { 'retry-after': value };
  expect(responseError(429, headers).retryAfterS).toBe(expected);
});

test.each([
  ['an unreachable server', new ServiceUnreachableError(['http://127.0.0.1:1'], undefined), true],
  ['408', responseError(408), true],
  ['429', responseError(429), true],
  ['502', responseError(502), true],
  ['503', responseError(503), true],
  ['504', responseError(504), true],
  ['500', responseError(500), false],
  ['400', responseError(400), false],
  ['401', responseError(401), false],
  ['404', responseError(404), false],
  ['a TypeError', new TypeError('x'), false],
])('isRetryable() returns $2 for %s', (_name, error, expected) => {
  expect(isRetryable(error)).toBe(expected);
});

const apiError = (status: number) =>
  new ApiError(status, { type: '', title: '', status, detail: '', code: 'x', request_id: '' });

test.each([
  ['400', apiError(400), true],
  ['404', apiError(404), true],
  ['409', apiError(409), true],
  ['401', apiError(401), false],
  ['403', apiError(403), false],
  ['429', apiError(429), false],
  ['503', apiError(503), false],
  ['an unreachable server', new ServiceUnreachableError(['http://127.0.0.1:1'], undefined), false],
  ['a TypeError', new TypeError('x'), false],
])('isSingleHostError() returns $2 for %s', (_name, error, expected) => {
  expect(isSingleHostError(error)).toBe(expected);
});
