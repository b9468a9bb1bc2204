// Prints the dependency tables with the sizes on this machine:
//
//     npm run dependencies

import type { SizedTable } from './dependency-tables.ts';
import { dependencyGroups, directTable, totalTable, transitiveTable } from './dependency-tables.ts';

function print(title: string, { heads, rows: sized }: SizedTable): void {
  const rows = sized.map(({ before, size, after }) => [...before, size() ?? 'not installed', ...after]);
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map(cells => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ');
  console.log([`\n${title}\n`, line(heads), ...rows.map(line)].join('\n'));
}

const groups = dependencyGroups();
for (const group of groups) {
  print(`Direct dependencies, ${group.title}:`, directTable(group));
  if (!group.isTool) print(`Transitive dependencies, ${group.title}:`, transitiveTable(group));
}
print('Total:', totalTable(groups));
