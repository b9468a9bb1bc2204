import { expect, test } from 'vitest';
import { problemOf, RequestRefused, ServiceUnreachable } from './client.ts';
import { isPassing } from './is-passing.ts';

const refusal = (status: number) => {
  const answered = { status, statusText: '', ok: false, headers: new Headers(), text: async () => '' };
  return new RequestRefused(status, problemOf(answered, ''));
};

test.each([
  ['nobody answers', new ServiceUnreachable(['http://127.0.0.1:1'], undefined), true],
  ['500', refusal(500), true],
  ['503', refusal(503), true],
  ['429', refusal(429), true],
  ['400', refusal(400), false],
  ['401', refusal(401), false],
  ['404', refusal(404), false],
  ['a mistake of ours', new TypeError('x'), false],
])('whether it passes by itself: %s', (_what, error, is) => {
  expect(isPassing(error)).toBe(is);
});
