import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MIN_SSH_CONNECTIONS, splitConnectionLimit } from './limit-settings.ts';

test.each([
  [3, 1, 1, 1],
  [4, 2, 1, 1],
  [40, 20, 2, 18],
  [200, 100, 10, 90],
])(
  'splitConnectionLimit() splits %i connections: %i for health checks, %i for credential tests, %i for tasks',
  (limit, ...quotas) => {
    const { maxChecks, maxCredentialTests, maxTasks } = splitConnectionLimit(limit);
    expect([maxChecks, maxCredentialTests, maxTasks]).toEqual(quotas);
  },
);

test('splitConnectionLimit() assigns all connections, at least one to each kind', () => {
  fc.assert(
    fc.property(fc.integer({ min: MIN_SSH_CONNECTIONS, max: 10_000 }), limit => {
      const { maxChecks, maxCredentialTests, maxTasks } = splitConnectionLimit(limit);
      expect(maxChecks + maxCredentialTests + maxTasks).toBe(limit);
      expect(Math.min(maxChecks, maxCredentialTests, maxTasks)).toBeGreaterThanOrEqual(1);
    }),
  );
});
