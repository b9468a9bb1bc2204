import { expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

const read = (key: string | undefined) =>
  readIdempotencyKey(key === undefined ? {} : { 'idempotency-key': key });

test('no key is none', () => {
  expect(read(undefined)).toBeNull();
});

test.each(['k', '!~', 'x'.repeat(128), '8e03978e-40d5-43dd-bc93-6894a57f9324'])('%s is a key', key => {
  expect(read(key)).toBe(key);
});

test.each(['', 'x'.repeat(129), 'two words', 'one, two', 'tab\t', 'ä', '\x7f'])('%j is refused', key => {
  const refusal = read(key);
  expect(refusal instanceof AppError && refusal.code).toBe('invalid_header');
});
