import { expect, test } from 'vitest';
import { operationTone } from './tone.ts';

test.each([
  ['finished', 0, 'good'],
  ['finished', 1, 'warn'],
  ['failed', 1, 'bad'],
  ['running', 1, 'busy'],
] as const)('an operation that is %s with %i failed hosts looks %s', (state, failed, tone) => {
  expect(operationTone(state, { failed })).toBe(tone);
});
