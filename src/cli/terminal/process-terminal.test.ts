import { expect, onTestFinished, test } from 'vitest';
import { processTerminal } from './process-terminal.ts';

function setTerminalSize(size: { readonly columns: number; readonly rows: number }): void {
  const { stdout } = process;
  const original = { columns: stdout.columns, rows: stdout.rows };
  onTestFinished(() => void Object.assign(stdout, original));
  Object.assign(stdout, size);
}

test.each([
  ['that knows its size has that', { columns: 132, rows: 50 }, { columns: 132, rows: 50 }],
  ['that says 0 is taken for a usual one', { columns: 0, rows: 0 }, { columns: 80, rows: 24 }],
])('a terminal %s', (_name, size, expected) => {
  setTerminalSize(size);
  const { columns, rows } = processTerminal();
  expect({ columns, rows }).toEqual(expected);
});
