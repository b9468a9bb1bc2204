import { expect, test } from 'vitest';
import { DelimitedOutput } from './bounded-output.ts';
import { MAX_OUTPUT_BYTES } from './transport.ts';

const MARKS = { begin: 'b1b1b1', end: 'e2e2e2' };

function read(text: string, size = text.length): DelimitedOutput {
  const output = new DelimitedOutput(MARKS);
  for (let at = 0; at < text.length; at += size) output.add(Buffer.from(text.slice(at, at + size)));
  return output;
}
const wordsOf = (output: DelimitedOutput) => Buffer.from(output.bytes()).toString();

test.each([1, 2, 3, 7, 1000])('what is between the marks is kept as it is, in pieces of %i', size => {
  const output = read('hello\nb1b1b1\none e2e2 two\ne2e2e2 137\nmore', size);
  expect([wordsOf(output), output.exitCode, output.hasStarted]).toEqual(['one e2e2 two\n', 137, true]);
});

test('a command that says nothing, or ends without a break of line, is told from one that has not ended', () => {
  expect(read('b1b1b1\ne2e2e2 0\n')).toMatchObject({ exitCode: 0 });
  const output = read('b1b1b1\nxe2e2e2 1\n');
  expect([wordsOf(output), output.exitCode]).toEqual(['x', 1]);
  expect(read('b1b1b1\nxe2e2e2 1').exitCode).toBeUndefined();
});

test('what others said is told until the command begins', () => {
  const output = read('This account is locked');
  expect([wordsOf(output), output.hasStarted]).toEqual(['This account is locked', false]);
});

test('the end is found behind much more than is kept', () => {
  const output = read(`b1b1b1\n${'x'.repeat(MAX_OUTPUT_BYTES + 5000)}e2e2e2 3\n`, 10_000);
  expect([output.bytes().length, output.exitCode]).toEqual([MAX_OUTPUT_BYTES, 3]);
});
