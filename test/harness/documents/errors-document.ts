import { STATUS_CODES } from 'node:http';
import { PROBLEM_CATALOG } from '../../../src/http/errors/problem-catalog.ts';
import { code, table } from './markdown-table.ts';

const statusOf = ([, { status }]: (typeof rows)[number]) => status;
const rows = Object.entries(PROBLEM_CATALOG);

const cellsOf = ([name, { summary, cause, action, docs }]: (typeof rows)[number]) => [
  code(name),
  `${summary} ${cause}`,
  `${action}${docs ? ` [More](../${docs})` : ''}`,
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
