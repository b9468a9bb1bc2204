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
  const text = `${Math.floor(free / MIB)} MiB are free for ${folder}`;
  if (free < LEAST_FREE) return problem(`only ${text}; make room, or changes will be refused`);
  return free < LITTLE_FREE ? warning(`only ${text}; make room soon`) : ok(text);
}

export const dataFolderCheck: Check = {
  name: 'data folder',
  settings: ['data', 'store'],
  find: async ({ config: { data, store } }) => {
    if (store.kind === 'postgres') return [];
    const wrong = dataFolderProblem(data);
    if (wrong !== undefined) return [problem(wrong)];
    if (!existsSync(data)) return [ok(`${data} is not there yet; the first start makes it`)];
    const loose = isOpenToOthers(statSync(data))
      ? [warning(`others on this machine may open ${data}; take that away by: chmod go= ${data}`)]
      : [];
    return [...loose, findSpace(data)];
  },
};
