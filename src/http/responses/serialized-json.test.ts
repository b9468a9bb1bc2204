import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { SerializedJson } from './serialized-json.ts';

test.each([0, 1, 2, 249, 250])('fromItems returns a string for %d items', count => {
  const items = Array.from({ length: count }, (_, index) => index);
  expect(SerializedJson.fromItems(items.map(String)).payload).toBe(JSON.stringify(items));
});

test.each([251, 500, 501])('fromItems streams %d items as the same JSON', async count => {
  const items = Array.from({ length: count }, (_, index) => ({ index }));
  const { payload } = SerializedJson.fromItems(items.map(item => JSON.stringify(item)));
  if (!(payload instanceof Readable)) throw new Error('expected a stream');
  expect(await text(payload)).toBe(JSON.stringify(items));
});

test('fromFragments joins fragments to chunks and generates them lazily', async () => {
  const fragment = 'x'.repeat(1000);
  let requested = 0;
  const fragments = function* () {
    for (; requested < 1000; requested += 1) yield fragment;
  };
  const { payload } = SerializedJson.fromFragments(fragments());
  if (!(payload instanceof Readable)) throw new Error('expected a stream');
  const chunks: string[] = [];
  for await (const chunk of payload) {
    if (chunks.length === 0) expect(requested).toBeLessThan(500);
    chunks.push(chunk);
  }
  expect(chunks.join('')).toBe(fragment.repeat(1000));
  expect(chunks.length).toBe(Math.ceil(1000 / 17));
});

test('fromFragments without fragments is empty', async () => {
  const { payload } = SerializedJson.fromFragments([]);
  expect(payload instanceof Readable && (await text(payload))).toBe('');
});
