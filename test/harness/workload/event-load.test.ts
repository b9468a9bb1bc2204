import { expect, test } from 'vitest';
import { checkCaughtUp } from './event-load.ts';

test('checkCaughtUp reports a reader that does not reach the newest event', async () => {
  const reader = { position: 7 };
  expect(await checkCaughtUp(reader, 7, 20)).toEqual([]);
  expect(await checkCaughtUp(reader, 8, 20)).toEqual(['received events up to 7, but the newest is 8']);
  setTimeout(() => {
    reader.position = 8;
  }, 20);
  expect(await checkCaughtUp(reader, 8, 5000)).toEqual([]);
});
