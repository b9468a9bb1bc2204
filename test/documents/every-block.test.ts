// No document gives anything to type that nothing has typed.

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES, isKnownExample, isNotRun, NOT_RUN } from '../harness/documents/not-run.ts';
import { documentText } from '../harness/documents/read-through.ts';
import { examplesOf, shellBlocks } from '../harness/documents/shell-blocks.ts';
import { PROJECT } from '../harness/programs/process.ts';

const OURS = ['*.md', '.github/**/*.md', 'contrib/**/*.md', 'docs/**/*.md', 'web/*.md'];

const files = (patterns: readonly string[]) => globSync([...patterns], { cwd: PROJECT }).sort();

const withBlocks = files(OURS).filter(document => shellBlocks(documentText(document)).length > 0);

/** Each document that a test reads through. */
const readByTests = files(['test/**/*.test.ts']).flatMap(file =>
  [...readFileSync(path.join(PROJECT, file), 'utf8').matchAll(/readThrough\(\s*'([^']+\.md)'/g)].map(
    ([, document = '']) => document,
  ),
);

function expectShown({ shownBy }: (typeof EXAMPLES | typeof NOT_RUN)[number]): void {
  expect(existsSync(path.join(PROJECT, shownBy.file)), shownBy.file).toBe(true);
  expect(readFileSync(path.join(PROJECT, shownBy.file), 'utf8')).toContain(shownBy.has);
}

test('every block of every document is typed by a test, or is in the table of those that cannot be', () => {
  const untyped = withBlocks
    .filter(document => !readByTests.includes(document))
    .flatMap(document =>
      shellBlocks(documentText(document))
        .filter(block => !isNotRun(document, block))
        .map(({ line }) => `${document}:${line}`),
    );
  expect(untyped).toEqual([]);
});

test.each(NOT_RUN)('$first of $document is there, and so is what shows that it is true', row => {
  const blocks = shellBlocks(documentText(row.document));
  expect(blocks.filter(block => isNotRun(row.document, block))).not.toEqual([]);
  expectShown(row);
});

test('what a document shows is what a block of it says, or is in the table of examples', () => {
  const unknown = files(OURS).flatMap(document =>
    examplesOf(documentText(document))
      .filter(block => !isKnownExample(document, block))
      .map(({ line }) => `${document}:${line}`),
  );
  expect(unknown).toEqual([]);
});

test.each(EXAMPLES)(
  'the example "$begins" of $document is there, and so is what shows that it is true',
  row => {
    const examples = examplesOf(documentText(row.document));
    expect(examples.filter(({ text }) => text.startsWith(row.begins))).not.toEqual([]);
    expectShown(row);
  },
);
