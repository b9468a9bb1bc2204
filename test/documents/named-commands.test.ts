// Commands and flags of `hostler` that documents mention in a sentence exist.

import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findUnknownWords } from '../harness/documents/cli-tables.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT }).sort();

/** Inline code that starts with `hostler`, up to the end of the first shell command. */
const namedCommands = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`(?:npx )?hostler ([^`|;&>]+)/g)].map(([, line = '']) =>
    line.trim(),
  );

test('every command that a document names exists', () => {
  const unknown = documents.flatMap(document =>
    namedCommands(readDocument(document)).flatMap(line =>
      findUnknownWords(line).map(word => `${document}: hostler ${line}: unknown ${word}`),
    ),
  );
  expect(unknown).toEqual([]);
});

test.each([
  ['host list --status failed', []],
  ['host list --colour blue', ['--colour']],
  ['hots list', ['hots']],
  ['serve --listen 127.0.0.1:0', []],
  ['admin reset-password --unknown', ['--unknown']],
])('hostler %s has the unknown words %j', (line, unknown) => {
  expect(findUnknownWords(line)).toEqual(unknown);
});
