import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { memoryFolder } from './memory-folder.ts';

test('what needs more room than there is memory goes to the usual folder', () => {
  expect(memoryFolder({ roomMb: 2 ** 30 })).toBe(tmpdir());
});
