// Long tests are run seldom, so what can be told of them without running them is told here.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from './harness/programs/process.ts';

const NAMED =
  /(?<![\w-]\/)\b(?:bench|bin|contrib|docs|src|test|tools|web)\/[\w./-]+\.(?:cfg|conf|js|json|md|py|service|sh|tsx?|ya?ml)\b/g;

/** Files of the tree that a text names and that are not there. */
const missingIn = (text: string): string[] =>
  [...text.matchAll(NAMED)].map(([name]) => name).filter(name => !existsSync(path.join(PROJECT, name)));

test('every file of ours that a long test names is there', () => {
  const filesIn = (folder: string) =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map(
      name => `${folder}/${name}`,
    );
  const long = ['src', 'test'].flatMap(filesIn).filter(name => name.endsWith('.long.test.ts'));
  expect(long.length).toBeGreaterThan(20);
  const missing = long.map(name => [name, missingIn(readFileSync(path.join(PROJECT, name), 'utf8'))]);
  expect(missing.filter(([, names]) => names?.length)).toEqual([]);
});

test('one that has moved is found', () => {
  expect(missingIn("'docs/README.md', 'docs/moved.md', `contrib/gone/x.service`")).toEqual([
    'docs/moved.md',
    'contrib/gone/x.service',
  ]);
});
