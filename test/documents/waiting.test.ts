// What a document gives to type comes to an end also when something is wrong: a loop that waits gives up, by a limit of time or when
// what it waits for has died.

import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentText } from '../harness/documents/read-through.ts';
import { shellBlocks } from '../harness/documents/shell-blocks.ts';
import { PROJECT } from '../harness/programs/process.ts';

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT }).sort();
/** A `while` without a pause goes through what there is, and waits for nobody. */
const WAITS = /\buntil\b.*\bdo\b|\bwhile\b.*\bsleep\b/;
const GIVES_UP = /\bbreak\b|\btimeout \d/;

test.each(DOCUMENTS)('%s has nobody wait for ever', document => {
  const lines = shellBlocks(documentText(document)).flatMap(({ text }) => text.split('\n'));
  expect(lines.filter(line => WAITS.test(line) && !GIVES_UP.test(line))).toEqual([]);
});
