import { STATUS_CODES } from 'node:http';
import { PROBLEMS } from '../../../src/http/problems/problem-kinds.ts';
import { code, table } from './markdown-table.ts';

const statusOf = ([, { status }]: (typeof rows)[number]) => status;
const rows = Object.entries(PROBLEMS);

const cellsOf = ([name, { meaning, cause, remedy, guide }]: (typeof rows)[number]) => [
  code(name),
  `${meaning} ${cause}`,
  `${remedy}${guide ? ` [More](../${guide})` : ''}`,
];

/** A table for each status with several codes, and one for all others. */
export const errorsSections = () => {
  const groups = [...Map.groupBy(rows, statusOf)].sort(([a], [b]) => a - b);
  const sections = groups
    .filter(([, same]) => same.length > 1)
    .map(
      ([status, same]) =>
        `### ${status} ${STATUS_CODES[status]}\n\n${table(['Code', 'Meaning and cause', 'What to do'], same.map(cellsOf))}`,
    );
  const others = groups
    .filter(([, same]) => same.length === 1)
    .flatMap(([status, same]) => same.map(each => [String(status), ...cellsOf(each)]));
  return [
    ...sections,
    `### Other statuses\n\n${table(['Status', 'Code', 'Meaning and cause', 'What to do'], others)}`,
  ].join('\n\n');
};
