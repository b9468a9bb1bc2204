import { expect, test } from 'vitest';
import { errorCodeOrMessage } from './errors.ts';

test.each([
  [
    'by its code',
    Object.assign(new Error('connect ECONNREFUSED ::1:22'), { code: 'ECONNREFUSED' }),
    'ECONNREFUSED',
  ],
  ['by its message where it has none', new Error('it hangs up'), 'it hangs up'],
  ['by its message where the code is empty', Object.assign(new Error('odd'), { code: '' }), 'odd'],
  ['by itself where it is no error', 'thrown text', 'thrown text'],
])('a failure is told %s', (_how, error, expected) => {
  expect(errorCodeOrMessage(error)).toBe(expected);
});
