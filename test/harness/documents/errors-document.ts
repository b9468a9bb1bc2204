import { STATUS_CODES } from 'node:http';
import { PROBLEMS } from '../../../src/http/problems/problem-kinds.ts';
import { code, table } from './markdown-table.ts';

/** A table for each status. */
export const errorsSections = () => {
  const statuses = [...new Set(Object.values(PROBLEMS).map(({ status }) => status))].sort((a, b) => a - b);
  return statuses
    .map(wanted => {
      const rows = Object.entries(PROBLEMS)
        .filter(([, { status }]) => status === wanted)
        .map(([name, { meaning, cause, remedy, guide }]) => [
          code(name),
          `${meaning} ${cause}`,
          `${remedy}${guide ? ` [More](../${guide})` : ''}`,
        ]);
      return `### ${wanted} ${STATUS_CODES[wanted]}\n\n${table(['Code', 'Meaning and cause', 'What to do'], rows)}`;
    })
    .join('\n\n');
};
