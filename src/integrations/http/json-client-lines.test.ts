import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLines } from './json-client.ts';

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]) {
  for (let at = 0, index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines) found.push(line);
  return found;
}

test('readLines yields the same lines for any chunk sizes, even within a character', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', '馬', '🐎', ' ', '"', '\r') });
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
  const property = fc.asyncProperty(fc.array(line), sizes, async (lines, chunkSizes) => {
    const found = await all(readLines(inChunks(Buffer.from(lines.join('\n')), chunkSizes)));
    expect(found).toEqual(lines.filter(each => each.trim() !== ''));
  });
  await fc.assert(property);
});

test('readLines rejects an endless line in linear time', async () => {
  const startedAt = performance.now();
  const endless = inChunks(Buffer.alloc(5 * 1024 * 1024, 'x'), [512]);
  await expect(all(readLines(endless))).rejects.toThrow(/exceeds the size limit/);
  // Joining all pieces again for each chunk takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
