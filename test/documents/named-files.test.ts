// Files that comments, messages and long tests name exist. No other check of npm test detects a moved file.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMissingFileFinder, extractComments, listFiles } from '../harness/documents/file-references.ts';
import { PROJECT } from '../harness/programs/process.ts';

test('every file that a comment names exists, by its path or the end of it', () => {
  const files = listFiles();
  const missingIn = createMissingFileFinder(files);
  const sources = files.filter(file => /\.(?:[jt]sx?)$/.test(file));
  expect(sources.length).toBeGreaterThan(1000);
  const missing = sources.flatMap(file =>
    missingIn(extractComments(readFileSync(path.join(PROJECT, file), 'utf8'))).map(name => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every document that a message of the program names exists', () => {
  const files = listFiles();
  const isProgram = (file: string) => /^(?:bin|src|web\/src)\/.*\.[jt]sx?$/.test(file) && !/\.test\./.test(file);
  const named = files
    .filter(isProgram)
    .flatMap(file => readFileSync(path.join(PROJECT, file), 'utf8').match(/\bdocs\/[\w./-]+\.md\b/g) ?? []);
  expect(named).toContain('docs/admin/audit-log.md');
  expect(named.filter(name => !files.includes(name))).toEqual([]);
});

const FILE_NAME =
  /(?<![\w-]\/)\b(?:bench|bin|contrib|docs|src|test|tools|web)\/[\w./-]+\.(?:cfg|conf|js|json|md|py|service|sh|tsx?|ya?ml)\b/g;

test('every file that a long test names exists', () => {
  const long = listFiles().filter(file => file.endsWith('.long.test.ts'));
  const named = long.flatMap(file => readFileSync(path.join(PROJECT, file), 'utf8').match(FILE_NAME) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(name => !existsSync(path.join(PROJECT, name)))).toEqual([]);
});

test('a missing file is found in each form of comment and nowhere else', () => {
  const missingIn = createMissingFileFinder(['src/domain/watch/history.ts', 'docs/a.md']);
  // In pieces, because this file is checked too.
  const [line, block] = ['/'.repeat(2), '/'.concat('**')];
  const source = [
    "import { x } from './code.ts';",
    `${line} By domain/history.ts, or by watch/history.ts; docs/b.md says why.`,
    `${block} As src/domain/watch/history.ts and history.ts,`,
    ' * not as `story.ts` or `<noun>.ts`. */',
    `const url = 'https://example.com/x.ts'; ${line} and late.ts`,
  ].join('\n');
  expect(missingIn(extractComments(source))).toEqual(['domain/history.ts', 'docs/b.md', 'story.ts', 'late.ts']);
});
