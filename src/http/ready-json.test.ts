import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ReadyJson } from './ready-json.ts';

test.each([0, 1, 2, 249, 250])('a list of %d items is one text', count => {
  const items = Array.from({ length: count }, (_, index) => index);
  expect(ReadyJson.list(items.map(String)).payload).toBe(JSON.stringify(items));
});

test.each([251, 500, 501])('a list of %d items comes in pieces that are the same JSON', async count => {
  const items = Array.from({ length: count }, (_, index) => ({ index }));
  const { payload } = ReadyJson.list(items.map(item => JSON.stringify(item)));
  if (!(payload instanceof Readable)) throw new Error('it is one text');
  expect(await text(payload)).toBe(JSON.stringify(items));
});
