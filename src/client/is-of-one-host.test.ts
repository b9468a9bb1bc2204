import { expect, test } from 'vitest';
import { RequestRefused, ServiceUnreachable } from './client.ts';
import { isOfOneHost } from './is-of-one-host.ts';

const refusal = (status: number) =>
  new RequestRefused(status, { type: '', title: '', status, detail: '', code: 'x', request_id: '' });

test.each([
  ['400', refusal(400), true],
  ['404', refusal(404), true],
  ['409', refusal(409), true],
  ['401', refusal(401), false],
  ['403', refusal(403), false],
  ['429', refusal(429), false],
  ['503', refusal(503), false],
  ['nobody answers', new ServiceUnreachable(['http://127.0.0.1:1'], undefined), false],
  ['a mistake of ours', new TypeError('x'), false],
])('whether a failure concerns one host alone: %s', (_what, error, is) => {
  expect(isOfOneHost(error)).toBe(is);
});
