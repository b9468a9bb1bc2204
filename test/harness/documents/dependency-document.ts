// The tables of docs/reference/dependencies.md.

import type { SizedRow, SizedTable } from '../../../tools/dependencies/dependency-tables.ts';
import { dependencyGroups, directTable, totalTable } from '../../../tools/dependencies/dependency-tables.ts';
import { INSTALLED_FOR_TESTS, RUN_BY_HOSTLER } from '../../../tools/dependencies/programs.ts';
import { code, row, table } from './markdown-table.ts';

/** What is not installed has no size that could be written down. */
function measured({ before, size }: SizedRow): string {
  const text = size();
  if (text === undefined)
    throw new Error(
      `the size of ${before[0]} cannot be written: not all of it is installed; run npm ci, here and in web/`,
    );
  return text;
}

/** Sizes differ from machine to machine: those of what has not changed stay as they were written. */
export function keepingSizes(text: string, { heads, rows }: SizedTable): string {
  const kept = rows.map(line => {
    const { before, after } = line;
    const beginning = `\n${row(before)} `;
    const found = text.indexOf(beginning);
    const [written = ''] = found === -1 ? [] : text.slice(found + beginning.length).split(' |', 1);
    return [...before, written || measured(line), ...after];
  });
  return table(heads, kept);
}

const programsTable = () =>
  table(
    ['Program', 'Used by', 'If it is missing'],
    RUN_BY_HOSTLER.map(({ name, usedBy, ifMissing }) => [code(name), usedBy, ifMissing]),
  );

const testPackages = () => `${Object.keys(INSTALLED_FOR_TESTS).map(code).join(', ')}.`;

const FILE = 'docs/reference/dependencies.md';
const groups = dependencyGroups();

/** Each with its name and its file, and how it is made from what is written there. */
export const dependencyTables: readonly [string, string, (text: string) => string][] = [
  ['totals', FILE, text => keepingSizes(text, totalTable(groups))],
  ...groups.map((group): [string, string, (text: string) => string] => [
    ...([group.title, FILE] as const),
    text => keepingSizes(text, directTable(group)),
  ]),
  ['programs', FILE, programsTable],
  ['test packages', FILE, testPackages],
];
