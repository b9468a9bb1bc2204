// What somebody types who has never seen Hostler comes to an end also when something is wrong: a loop that waits gives up, by a limit of
// time or when what it waits for has died.

import { expect, test } from 'vitest';
import { documentText } from '../harness/documents/read-through.ts';
import { shellBlocks } from '../harness/documents/shell-blocks.ts';

const WAITS = /\b(?:until|while)\b.*\bdo\b/;
const GIVES_UP = /\bbreak\b|\btimeout \d/;

test.each(['README.md', 'docs/tutorial.md'])('%s has nobody wait for ever', document => {
  const lines = shellBlocks(documentText(document)).flatMap(({ text }) => text.split('\n'));
  expect(lines.filter(line => WAITS.test(line) && !GIVES_UP.test(line))).toEqual([]);
});
