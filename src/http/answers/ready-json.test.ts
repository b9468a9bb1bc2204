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

test('parts are put together to pieces of some size, and asked for only as they are sent', async () => {
  const part = 'x'.repeat(1000);
  let asked = 0;
  const parts = function* () {
    for (; asked < 1000; asked += 1) yield part;
  };
  const { payload } = ReadyJson.parts(parts());
  if (!(payload instanceof Readable)) throw new Error('it is one text');
  const pieces: string[] = [];
  for await (const piece of payload) {
    if (pieces.length === 0) expect(asked).toBeLessThan(500);
    pieces.push(piece);
  }
  expect(pieces.join('')).toBe(part.repeat(1000));
  expect(pieces.length).toBe(Math.ceil(1000 / 17));
});

test('no parts are an empty text', async () => {
  const { payload } = ReadyJson.parts([]);
  expect(payload instanceof Readable && (await text(payload))).toBe('');
});
