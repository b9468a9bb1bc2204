import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from '../programs/process.ts';
import { keepingSizes } from './dependency-document.ts';

const tableOf = (size: string | undefined) => ({
  heads: ['package', 'version', 'size', 'why'],
  rows: [{ before: ['`pg`', '8.0.0'], size: () => size, after: ['asks'] }],
});

test('a size that is written stays, as long as what is before it is the same', () => {
  const text = '\n| `pg` | 8.0.0 | 0.5 MB | asked |\n';
  expect(keepingSizes(text, tableOf('0.6 MB'))).toContain('| `pg` | 8.0.0 | 0.5 MB | asks |');
  expect(keepingSizes(text.replace('8.0.0', '7.0.0'), tableOf('0.6 MB'))).toContain('0.6 MB');
});

test('what is not installed is not written down: it would stay so', () => {
  expect(() => keepingSizes('', tableOf(undefined))).toThrow('the size of `pg` cannot be written');
  expect(readFileSync(path.join(PROJECT, 'docs/dependencies.md'), 'utf8')).not.toContain('not installed |');
});
