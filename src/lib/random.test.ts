import { expect, test } from 'vitest';
import { newId } from './random.ts';

test('newId returns 16 URL-safe characters and never starts with a dash', () => {
  // One in 64 random values starts with a dash.
  for (let count = 0; count < 2000; count += 1) expect(newId()).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{15}$/);
});
