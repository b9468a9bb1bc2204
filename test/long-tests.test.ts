// Long tests run seldom, so the files that they name are checked here.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from './harness/programs/process.ts';

const FILE_NAME =
  /(?<![\w-]\/)\b(?:bench|bin|contrib|docs|src|test|tools|web)\/[\w./-]+\.(?:cfg|conf|js|json|md|py|service|sh|tsx?|ya?ml)\b/g;

/** Returns the files that a text names and that do not exist. */
const missingIn = (text: string): string[] =>
  [...text.matchAll(FILE_NAME)].map(([name]) => name).filter(name => !existsSync(path.join(PROJECT, name)));

test('every file that a long test names exists', () => {
  const filesIn = (folder: string) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`);
  const long = ['src', 'test'].flatMap(filesIn).filter(name => name.endsWith('.long.test.ts'));
  expect(long.length).toBeGreaterThan(20);
  const missing = long.map(name => [name, missingIn(readFileSync(path.join(PROJECT, name), 'utf8'))]);
  expect(missing.filter(([, names]) => names?.length)).toEqual([]);
});

test('a missing file is found', () => {
  expect(missingIn("'docs/README.md', 'docs/moved.md', `contrib/gone/x.service`")).toEqual([
    'docs/moved.md',
    'contrib/gone/x.service',
  ]);
});
