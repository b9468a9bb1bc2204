import { expect, test } from 'vitest';
import { SECRET_BYTES, secretForm } from './secret-form.ts';

const { textOf, isKept } = secretForm('hsx_');
const made = (bytes: number) => textOf(Buffer.alloc(bytes, 7));

test('what is made of as many bytes as a secret has keeps to its form', () => {
  expect(isKept(made(SECRET_BYTES))).toBe(true);
  expect(made(SECRET_BYTES)).toMatch(/^hsx_[\w-]{43}$/);
});

test.each([SECRET_BYTES - 1, SECRET_BYTES + 1])('what is made of %d bytes does not', bytes => {
  expect(isKept(made(bytes))).toBe(false);
});
