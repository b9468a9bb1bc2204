import fc from 'fast-check';
import { expect, test } from 'vitest';
import { connectionShares, FEWEST_CONNECTIONS } from './connection-shares.ts';

test.each([
  [3, 1, 1, 1],
  [4, 2, 1, 1],
  [40, 20, 2, 18],
  [200, 100, 10, 90],
])('of %i connections %i are for checks, %i for trials, %i for work', (limit, ...shares) => {
  const { maxChecks, maxCredentialTests, maxTasks } = connectionShares(limit);
  expect([maxChecks, maxCredentialTests, maxTasks]).toEqual(shares);
});

test('however many there are, they are all given out, and everybody has one', () => {
  fc.assert(
    fc.property(fc.integer({ min: FEWEST_CONNECTIONS, max: 10_000 }), limit => {
      const { maxChecks, maxCredentialTests, maxTasks } = connectionShares(limit);
      expect(maxChecks + maxCredentialTests + maxTasks).toBe(limit);
      expect(Math.min(maxChecks, maxCredentialTests, maxTasks)).toBeGreaterThanOrEqual(1);
    }),
  );
});
