import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedOutput } from './bounded-output.ts';
import { MAX_OUTPUT_BYTES } from './transport.ts';

const collect = (...chunks: (string | Buffer)[]) => {
  const output = new BoundedOutput('mark');
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  return output;
};
const text = (output: BoundedOutput) => Buffer.from(output.bytes()).toString('latin1');

test('BoundedOutput removes output before the marker for any chunk boundaries', () => {
  const all = 'Welcome!\nYou have mail. mark\nmark\nout\n';
  fc.assert(
    fc.property(fc.array(fc.nat(all.length), { maxLength: 6 }), cuts => {
      const offsets = [0, ...cuts.toSorted((a, b) => a - b), all.length];
      const output = collect(...offsets.slice(1).map((to, index) => all.slice(offsets[index], to)));
      expect([output.hasStarted, text(output)]).toEqual([true, 'mark\nout\n']);
    }),
  );
});

test('BoundedOutput keeps the end of the output if there is no marker', () => {
  const output = collect('x'.repeat(200_000), 'This account is currently not available.\n');
  expect(output.hasStarted).toBe(false);
  expect(text(output)).toMatch(/currently not available\.\n$/);
  expect(output.bytes().length).toBe(4096);
});

test('BoundedOutput keeps the start of the output after the marker and counts all bytes', () => {
  const output = collect('mark\n', Buffer.alloc(MAX_OUTPUT_BYTES - 1, 'a'), 'bcd', 'e');
  expect(output.bytes().length).toBe(MAX_OUTPUT_BYTES);
  expect(text(output).slice(-2)).toBe('ab');
  expect(output.receivedBytes).toBe(5 + MAX_OUTPUT_BYTES + 3);
});
