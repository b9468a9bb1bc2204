import { STATUS_CODES } from 'node:http';
import { PROBLEMS } from '../../../src/http/problems/problem-kinds.ts';
import { code, table } from './markdown-table.ts';

/** A heading for each, so that each can be linked to. */
export const errorsSections = () => {
  const statuses = [...new Set(Object.values(PROBLEMS).map(({ status }) => status))].sort((a, b) => a - b);
  const codesOf = (wanted: number) =>
    Object.entries(PROBLEMS)
      .filter(([, { status }]) => status === wanted)
      .map(([name]) => `[${code(name)}](#${name})`);
  const index = statuses.map(status => [`${status} ${STATUS_CODES[status]}`, codesOf(status).join(', ')]);
  const sections = Object.entries(PROBLEMS).map(
    ([name, { status, meaning, cause, remedy, guide }]) =>
      `### ${code(name)}\n\n${status} ${STATUS_CODES[status]}: ${meaning} ${cause}\n\n**What to do:** ${remedy}${guide ? ` [More](../guides/${guide})` : ''}`,
  );
  return [table(['status', 'codes'], index), ...sections].join('\n\n');
};
