import { expect, test } from 'vitest';
import { readyProblem } from '../../../operations/rolling/preflight.ts';
import { problemText } from './print-plan.ts';

test('a dry run names the command that retries the bootstrap of a host', () => {
  const { problem } = readyProblem({ status: 'failed' }) ?? {};
  expect(problemText({ address: '127.0.0.1', ...(problem && { problem }) })).toBe(
    'not_ready: the host has status failed. Run: hostler host retry 127.0.0.1',
  );
});

test('a dry run prints other problems unchanged', () => {
  expect(problemText({ address: '127.0.0.1', problem: 'unhealthy: in maintenance' })).toBe(
    'unhealthy: in maintenance',
  );
});
