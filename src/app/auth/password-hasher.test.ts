import { expect, test } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { Secret } from '../../domain/secret.ts';
import { argon2Hasher, SIGNED_IN } from './password-hasher.ts';

const password = new Secret('correct horse');

test('passwords are hashed with Argon2id at the cost that OWASP recommends', async () => {
  const hasher = argon2Hasher();
  const passwordHash = await hasher.hash(password);
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hasher.verify(String(passwordHash), password, SIGNED_IN)).toBe(true);
  expect(await hasher.verify(String(passwordHash), new Secret('another'), SIGNED_IN)).toBe(false);
});

test('two passwords are hashed at once, eight wait, and others are rejected', async () => {
  const hasher = argon2Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const results = await Promise.all(Array.from({ length: 12 }, () => hasher.hash(password)));
  expect(results.map(result => (result instanceof AppError ? result.code : 'hashed'))).toEqual([
    ...Array<string>(10).fill('hashed'),
    ...Array<string>(2).fill('server_busy'),
  ]);
});
