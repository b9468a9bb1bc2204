// No document gives anything to type that nothing has typed.

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { NOT_RUN } from '../harness/documents/not-run.ts';
import { documentText } from '../harness/documents/read-through.ts';
import { shellBlocks } from '../harness/documents/shell-blocks.ts';
import { missingLine } from '../harness/documents/shown-output.ts';
import { PROJECT } from '../harness/process.ts';

const OURS = ['*.md', '.github/**/*.md', 'contrib/**/*.md', 'docs/**/*.md', 'web/*.md'];

const files = (patterns: readonly string[]) => globSync([...patterns], { cwd: PROJECT }).sort();

const withBlocks = files(OURS).filter(document => shellBlocks(documentText(document)).length > 0);

/** Each document that a test reads through. */
const readByTests = files(['test/**/*.test.ts']).flatMap(file =>
  [...readFileSync(path.join(PROJECT, file), 'utf8').matchAll(/readThrough\(\s*'([^']+\.md)'/g)].map(
    ([, document = '']) => document,
  ),
);

const isLeftOut = (document: string, text: string) =>
  NOT_RUN.some(row => row.document === document && row.text === text);

test('every block of every document is typed by a test, or is in the table of those that cannot be', () => {
  const untyped = withBlocks
    .filter(document => !readByTests.includes(document))
    .flatMap(document =>
      shellBlocks(documentText(document))
        .filter(({ text }) => !isLeftOut(document, text))
        .map(({ line }) => `${document}:${line}`),
    );
  expect(untyped).toEqual([]);
});

test.each(NOT_RUN)(
  '$text of $document is there, and so is what stands for it',
  ({ document, text, insteadOf }) => {
    expect(shellBlocks(documentText(document)).map(block => block.text)).toContain(text);
    expect(existsSync(path.join(PROJECT, insteadOf.file)), insteadOf.file).toBe(true);
    expect(readFileSync(path.join(PROJECT, insteadOf.file), 'utf8')).toContain(insteadOf.has);
  },
);

test('a block is found with its line, and with the output that is shown after it', () => {
  const text = [
    'Say:',
    '',
    '```sh',
    'echo a',
    'echo b',
    '```',
    '',
    '    a',
    '',
    '    b',
    '',
    'Then:',
    '',
    '    c',
  ];
  expect(shellBlocks(text.join('\n'))).toEqual([{ line: 4, text: 'echo a\necho b', shown: 'a\n\nb' }]);
});

test.each([
  ['a\nb', 'x\na\ny\nb', undefined],
  ['b\na', 'a\nb', 'a'],
  ['at 2026-11-15T15:13:17.407000: "id":4711', 'at 2027-01-01T00:00:00.000000: "id":1', undefined],
  ['the rest …', 'the rest is left out', undefined],
  ['a.c', 'abc', 'a.c'],
])('shown as %j, said as %j: %j is missing', (shown, output, missing) => {
  expect(missingLine(shown, output)).toBe(missing);
});
