// A test runs every command that a document shows.

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findExamples, shellBlocks } from '../harness/documents/markdown.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { EXAMPLES, isKnownExample, isSkipped, SKIPPED_BLOCKS } from '../harness/documents/skipped-blocks.ts';
import { PROJECT } from '../harness/programs/process.ts';

const DOCUMENTS = ['*.md', '.github/**/*.md', 'contrib/**/*.md', 'docs/**/*.md', 'web/*.md'];

const files = (patterns: readonly string[]) => globSync([...patterns], { cwd: PROJECT }).sort();

const withBlocks = files(DOCUMENTS).filter(document => shellBlocks(readDocument(document)).length > 0);

/** Documents that a test runs. */
const readByTests = files(['test/**/*.test.ts']).flatMap(file =>
  [...readFileSync(path.join(PROJECT, file), 'utf8').matchAll(/runDocument\(\s*'([^']+\.md)'/g)].map(
    ([, document = '']) => document,
  ),
);

function expectShown({ verifiedBy }: (typeof EXAMPLES | typeof SKIPPED_BLOCKS)[number]): void {
  expect(existsSync(path.join(PROJECT, verifiedBy.file)), verifiedBy.file).toBe(true);
  expect(readFileSync(path.join(PROJECT, verifiedBy.file), 'utf8')).toContain(verifiedBy.contains);
}

test('every block of every document is run by a test or is listed in SKIPPED_BLOCKS', () => {
  const untyped = withBlocks
    .filter(document => !readByTests.includes(document))
    .flatMap(document =>
      shellBlocks(readDocument(document))
        .filter(block => !isSkipped(document, block))
        .map(({ line }) => `${document}:${line}`),
    );
  expect(untyped).toEqual([]);
});

test.each(SKIPPED_BLOCKS)('$firstLine of $document exists, and the named file proves it', row => {
  const blocks = shellBlocks(readDocument(row.document));
  expect(blocks.filter(block => isSkipped(row.document, block))).not.toEqual([]);
  expectShown(row);
});

test('every output in a document is compared with a command or is listed in EXAMPLES', () => {
  const unknown = files(DOCUMENTS).flatMap(document =>
    findExamples(readDocument(document))
      .filter(block => !isKnownExample(document, block))
      .map(({ line }) => `${document}:${line}`),
  );
  expect(unknown).toEqual([]);
});

test.each(EXAMPLES)('the example "$startsWith" of $document exists, and the named file proves it', row => {
  const examples = findExamples(readDocument(row.document));
  expect(examples.filter(({ text }) => text.startsWith(row.startsWith))).not.toEqual([]);
  expectShown(row);
});
