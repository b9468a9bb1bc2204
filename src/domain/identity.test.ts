import { expect, test } from 'vitest';
import { requireIdentity } from './identity.ts';

test('a service that runs without an identity is a fault, and says so', () => {
  expect(() => requireIdentity(undefined)).toThrow(/no identity, although it makes one at its start/);
});
