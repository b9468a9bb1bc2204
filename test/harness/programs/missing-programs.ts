import { spawnSync } from 'node:child_process';
import { toolEnvironment } from '../hosts/run-tool.ts';

const isMissing = (line: string): boolean => {
  const [program = '', ...args] = line.split(' ');
  return spawnSync(program, args, { env: toolEnvironment() }).error !== undefined;
};

/** Of programs, each with an argument that does no harm, the names of those that are not there. */
export const missingPrograms = (lines: readonly string[]): string[] =>
  lines.filter(isMissing).map(line => line.split(' ')[0] ?? '');

/** Why servers that need them cannot be started. */
export function problemWithPrograms(lines: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start them';
  const missing = missingPrograms(lines);
  return missing.length > 0 ? `there is no ${missing.join(', no ')}` : undefined;
}
