import { expect, test } from 'vitest';
import { behind } from './visitors.ts';

test('a reader that is told nothing of what others know is behind, however gaplessly', async () => {
  const reader = { position: 7 };
  expect(await behind(reader, 7, 20)).toEqual([]);
  expect(await behind(reader, 8, 20)).toEqual(['it was told up to 7, and others knew 8 when it came']);
  setTimeout(() => {
    reader.position = 8;
  }, 20);
  expect(await behind(reader, 8, 5000)).toEqual([]);
});
