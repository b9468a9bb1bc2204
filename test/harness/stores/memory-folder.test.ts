import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { memoryFolder } from './memory-folder.ts';

test('memoryFolder returns the temporary folder if memory has too little space', () => {
  expect(memoryFolder({ requiredMb: 2 ** 30 })).toBe(tmpdir());
});
