// What comments name is there: nobody else would notice that a file has moved.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commentsIn, filesOfTree, missingAmong } from './harness/documents/named-files.ts';
import { PROJECT } from './harness/programs/process.ts';

test('every file of ours that a comment names is there, by its path or by the end of it', () => {
  const files = filesOfTree();
  const missingIn = missingAmong(files);
  const sources = files.filter(file => /\.(?:[jt]sx?)$/.test(file));
  expect(sources.length).toBeGreaterThan(1000);
  const missing = sources.flatMap(file =>
    missingIn(commentsIn(readFileSync(path.join(PROJECT, file), 'utf8'))).map(name => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('one that has moved is found, in each form of a comment, and nowhere else', () => {
  const missingIn = missingAmong(['src/domain/watch/history.ts', 'docs/a.md']);
  // In pieces, since this file is read as well.
  const [line, block] = ['/'.repeat(2), '/'.concat('**')];
  const source = [
    "import { x } from './code.ts';",
    `${line} By domain/history.ts, or by watch/history.ts; docs/b.md says why.`,
    `${block} As src/domain/watch/history.ts and history.ts,`,
    ' * not as `story.ts` or `<noun>.ts`. */',
    `const url = 'https://example.com/x.ts'; ${line} and late.ts`,
  ].join('\n');
  expect(missingIn(commentsIn(source))).toEqual(['domain/history.ts', 'docs/b.md', 'story.ts', 'late.ts']);
});
