// Loops in documents that wait must end, by a time limit or when the process ends that they wait for.

import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellBlocks } from '../harness/documents/markdown.ts';
import { readDocument } from '../harness/documents/run-document.ts';
import { PROJECT } from '../harness/programs/process.ts';

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT }).sort();
/** A `while` without `sleep` does not wait. */
const WAITS = /\buntil\b.*\bdo\b|\bwhile\b.*\bsleep\b/;
const GIVES_UP = /\bbreak\b|\btimeout \d/;

test.each(DOCUMENTS)('%s has no endless wait loop', document => {
  const lines = shellBlocks(readDocument(document)).flatMap(({ text }) => text.split('\n'));
  expect(lines.filter(line => WAITS.test(line) && !GIVES_UP.test(line))).toEqual([]);
});
