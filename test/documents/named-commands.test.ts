// Commands of `hostler` that documents only name, in the midst of a sentence: they exist, and so do their flags.

import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unknownIn } from '../harness/documents/cli-document.ts';
import { documentText } from '../harness/documents/read-through.ts';
import { PROJECT } from '../harness/programs/process.ts';

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT }).sort();

/** What stands in backticks, and what shells would take as one command of it. */
const named = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`(?:npx )?hostler ([^`|;&>]+)/g)].map(
    ([, line = '']) => line.trim(),
  );

test('every command that a document names is one', () => {
  const wrong = documents.flatMap(document =>
    named(documentText(document)).flatMap(line =>
      unknownIn(line).map(word => `${document}: hostler ${line}: there is no ${word}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['host list --status failed', []],
  ['host list --colour blue', ['--colour']],
  ['hots list', ['hots']],
  ['serve --listen 127.0.0.1:0', []],
  ['admin reset-password --nobody', ['--nobody']],
])('hostler %s has %j unknown', (line, unknown) => {
  expect(unknownIn(line)).toEqual(unknown);
});
