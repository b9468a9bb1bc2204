// The guide for users of kubectl, gh and docker agrees with the commands that Hostler accepts and suggests.

import { expect, test } from 'vitest';
import { splitCommand, suggestedCommands } from '../harness/documents/cli-tables.ts';
import { readDocument } from '../harness/documents/run-document.ts';

/** Inline code that starts with one of the programs, without the program. */
const commandsOf = (cell: string, programs: string) =>
  [...cell.matchAll(new RegExp(`\`(?:${programs}) ([^\`]+)\``, 'g'))].map(([, line = '']) => line);

const rows = readDocument('docs/guides/coming-from-kubectl-and-gh.md')
  .split('\n')
  .map(line => line.split('|'))
  .flatMap(([, typed = '', inHostler = '']) =>
    commandsOf(typed, 'kubectl|gh|docker').map(line => [line, commandsOf(inHostler, 'hostler')] as const),
  );

/** Words in capitals are placeholders. The guide can have more options than the suggestion. */
function matches(suggestion: string, documented: string): boolean {
  const [suggested, expected] = [splitCommand(suggestion), splitCommand(documented)];
  const words = suggested.rest.filter(word => !/^[A-Z]/.test(word));
  return suggested.command === expected.command && words.every(word => expected.rest.includes(word));
}

test('the guide has tables', () => {
  expect(rows.length).toBeGreaterThan(40);
});

test.each(rows)('`%s` is or suggests one of %j', (line, documented) => {
  const suggestions = suggestedCommands(line);
  const isSame = documented.some(command => splitCommand(command).command === splitCommand(line).command);
  const isSuggested = documented.some(command => suggestions.some(suggestion => matches(suggestion, command)));
  expect(isSame || isSuggested, suggestions.join(' or ')).toBe(true);
});

test.each([
  ['host maintenance HOST on', 'host maintenance web-01 on --reason TEXT', true],
  ['host maintenance HOST on', 'host maintenance web-01 off', false],
  ['host show', 'host get web-01 -o yaml', true],
  ['host show', 'host describe web-01', false],
  ['restart CLUSTER --hosts HOST', 'restart CLUSTER', false],
])('the suggestion `%s` and the guide with `%s` match: %s', (suggestion, documented, expected) => {
  expect(matches(suggestion, documented)).toBe(expected);
});
