import { existsSync, statfsSync, statSync } from 'node:fs';
import { isOpenToOthers } from '../../lib/is-open-to-others.ts';
import { dataFolderProblem } from '../parts/data-folder-problem.ts';
import type { Check, Finding } from './check.ts';
import { ok, problem, warning } from './check.ts';

const MIB = 2 ** 20;
/** A store that is full refuses every change; the log in front of it alone may grow to this. */
const LEAST_FREE = 100 * MIB;
const LITTLE_FREE = 1024 * MIB;

function findSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MIB)} MiB free in ${folder}`;
  if (free < LEAST_FREE) return problem(`only ${text}; free space on the disk, otherwise writes fail`);
  return free < LITTLE_FREE ? warning(`only ${text}; free space on the disk soon`) : ok(text);
}

export const dataFolderCheck: Check = {
  name: 'data directory',
  settings: ['data', 'store'],
  find: async ({ config: { data, store } }) => {
    if (store.kind === 'postgres') return [];
    const wrong = dataFolderProblem(data);
    if (wrong !== undefined) return [problem(wrong)];
    if (!existsSync(data)) return [ok(`${data} does not exist yet; the first start creates it`)];
    const loose = isOpenToOthers(statSync(data))
      ? [warning(`${data} is accessible to other users; run: chmod go= ${data}`)]
      : [];
    return [...loose, findSpace(data)];
  },
};
