import { expect, test } from 'vitest';
import { newId } from './random.ts';

test('an ID is 16 characters that need no quoting, and never looks like an option of a command', () => {
  // One in 64 random texts begins with a dash.
  for (let count = 0; count < 2000; count += 1) expect(newId()).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{15}$/);
});
