import { expect, test } from 'vitest';
import { requireIdentity } from './identity.ts';

test('a service that runs without an identity is a fault, and says so', () => {
  expect(() => requireIdentity(undefined)).toThrow(
    /no SSH identity, although the server creates one at its start/,
  );
});
