import { expect, test } from 'vitest';
import { errorCodeOrMessage } from './errors.ts';

test.each([
  ['the code', Object.assign(new Error('connect ECONNREFUSED ::1:22'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['the message of an error without a code', new Error('connection closed'), 'connection closed'],
  ['the message of an error with an empty code', Object.assign(new Error('odd'), { code: '' }), 'odd'],
  ['a thrown string', 'thrown text', 'thrown text'],
])('errorCodeOrMessage returns %s', (_case, error, expected) => {
  expect(errorCodeOrMessage(error)).toBe(expected);
});
