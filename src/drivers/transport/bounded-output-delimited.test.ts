import { expect, test } from 'vitest';
import { DelimitedOutput } from './bounded-output.ts';
import { MAX_OUTPUT_BYTES } from './transport.ts';

const MARKERS = { begin: 'b1b1b1', end: 'e2e2e2' };

function read(text: string, size = text.length): DelimitedOutput {
  const output = new DelimitedOutput(MARKERS);
  for (let offset = 0; offset < text.length; offset += size) output.add(Buffer.from(text.slice(offset, offset + size)));
  return output;
}
const textOf = (output: DelimitedOutput) => Buffer.from(output.bytes()).toString();

test.each([1, 2, 3, 7, 1000])('DelimitedOutput keeps the output between the markers with chunks of %i bytes', size => {
  const output = read('hello\nb1b1b1\none e2e2 two\ne2e2e2 137\nmore', size);
  expect([textOf(output), output.exitCode, output.hasStarted]).toEqual(['one e2e2 two\n', 137, true]);
});

test('DelimitedOutput detects the end of a command without output or final newline', () => {
  expect(read('b1b1b1\ne2e2e2 0\n')).toMatchObject({ exitCode: 0 });
  const output = read('b1b1b1\nxe2e2e2 1\n');
  expect([textOf(output), output.exitCode]).toEqual(['x', 1]);
  expect(read('b1b1b1\nxe2e2e2 1').exitCode).toBeUndefined();
});

test('DelimitedOutput returns the output before the command if the command has not started', () => {
  const output = read('This account is locked');
  expect([textOf(output), output.hasStarted]).toEqual(['This account is locked', false]);
});

test('DelimitedOutput finds the end marker after the output limit', () => {
  const output = read(`b1b1b1\n${'x'.repeat(MAX_OUTPUT_BYTES + 5000)}e2e2e2 3\n`, 10_000);
  expect([output.bytes().length, output.exitCode]).toEqual([MAX_OUTPUT_BYTES, 3]);
});
