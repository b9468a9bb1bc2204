import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it.each([
  [0, '0 hosts'],
  [1, '1 host'],
  [12, '12 hosts'],
])('%i: %s', (count, text) => {
  expect(counted(count, 'host')).toBe(text);
});
