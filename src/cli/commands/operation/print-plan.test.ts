import { expect, test } from 'vitest';
import { checkBootstrapped } from '../../../procedures/rollout/preflight-and-verify.ts';
import { formatProblem } from './print-plan.ts';

const address = '127.0.0.1';

test.each([
  [
    'host_key_changed: the host presented a different key',
    'failed (host_key_changed). Run: hostler host accept-key 127.0.0.1',
  ],
  ['unsupported_os: no driver supports it', 'failed (unsupported_os)'],
  ['auth_rejected: no', 'failed (auth_rejected). Fix the cause, then run: hostler host retry 127.0.0.1'],
])('formatProblem() adds the next step for a host that failed with "%s"', (reason, text) => {
  const { problem = '' } = checkBootstrapped({ status: 'failed', reason }) ?? {};
  const state = { status: 'failed', reason, os: '' } as const;
  expect(formatProblem({ address, state, problem })).toBe(`not_ready: the host has status ${text}`);
});

test('formatProblem() adds no command for another problem', () => {
  const state = { status: 'failed', reason: 'auth_rejected: no', os: '' } as const;
  expect(formatProblem({ address, state, problem: 'unhealthy: in maintenance' })).toBe('unhealthy: in maintenance');
});
