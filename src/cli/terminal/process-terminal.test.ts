import { expect, onTestFinished, test } from 'vitest';
import { processTerminal } from './process-terminal.ts';

function setTerminalSize(size: { readonly columns: number; readonly rows: number }): void {
  const { stdout } = process;
  const original = { columns: stdout.columns, rows: stdout.rows };
  onTestFinished(() => void Object.assign(stdout, original));
  Object.assign(stdout, size);
}

test.each([
  ['uses the size of the terminal', { columns: 132, rows: 50 }, { columns: 132, rows: 50 }],
  ['uses 80x24 for a terminal that reports 0', { columns: 0, rows: 0 }, { columns: 80, rows: 24 }],
])('processTerminal() %s', (_name, size, expected) => {
  setTerminalSize(size);
  const { columns, rows } = processTerminal();
  expect({ columns, rows }).toEqual(expected);
});
