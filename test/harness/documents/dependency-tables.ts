// Tables of docs/reference/dependencies.md.

import type { SizedRow, SizedTable } from '../../../tools/dependencies/dependency-tables.ts';
import { dependencyGroups, directTable, totalTable } from '../../../tools/dependencies/dependency-tables.ts';
import { INSTALLED_FOR_TESTS, RUN_BY_HOSTLER } from '../../../tools/dependencies/programs.ts';
import { code, row, table } from './markdown.ts';

function measureSize({ before, size }: SizedRow): string {
  const text = size();
  if (text === undefined)
    throw new Error(`cannot measure ${before[0]}: not all packages are installed; run npm ci, here and in web/`);
  return text;
}

/** Sizes differ between machines, so the sizes of unchanged packages are kept from the document. */
export function renderWithSizes(text: string, { heads, rows }: SizedTable): string {
  const cells = rows.map(line => {
    const { before, after } = line;
    const prefix = `\n${row(before)} `;
    const found = text.indexOf(prefix);
    const [savedSize = ''] = found === -1 ? [] : text.slice(found + prefix.length).split(' |', 1);
    return [...before, savedSize || measureSize(line), ...after];
  });
  return table(heads, cells);
}

const programsTable = () =>
  table(
    ['Program', 'Used by', 'If it is missing'],
    RUN_BY_HOSTLER.map(({ name, usedBy, ifMissing }) => [code(name), usedBy, ifMissing]),
  );

const testPackages = () => `${Object.keys(INSTALLED_FOR_TESTS).map(code).join(', ')}.`;

const FILE = 'docs/reference/dependencies.md';
const groups = dependencyGroups();

/** Name, file and renderer of each table. The renderer receives the current document. */
export const dependencyTables: readonly [string, string, (text: string) => string][] = [
  ['totals', FILE, text => renderWithSizes(text, totalTable(groups))],
  ...groups.map((group): [string, string, (text: string) => string] => [
    ...([group.title, FILE] as const),
    text => renderWithSizes(text, directTable(group)),
  ]),
  ['programs', FILE, programsTable],
  ['test packages', FILE, testPackages],
];
