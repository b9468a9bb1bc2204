import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../lib/errors/error-code.ts';
import { isOpenToOthers } from '../../lib/is-open-to-others.ts';
import type { Check, Finding } from './check.ts';
import { ok, problem, warning } from './check.ts';

const MIB = 2 ** 20;
/** A store that is full refuses every change; the log in front of it alone may grow to this. */
const LEAST_FREE = 100 * MIB;
const LITTLE_FREE = 1024 * MIB;

const asUser = () => `user ${process.getuid?.() ?? 'of this process'}`;

function accessProblem(folder: string, mode: number): string | undefined {
  try {
    accessSync(folder, mode);
    return undefined;
  } catch (error) {
    return errorCode(error);
  }
}

const nearestThere = (folder: string): string =>
  existsSync(folder) ? folder : nearestThere(path.dirname(folder));

function findMissing(folder: string): Finding {
  const parent = nearestThere(folder);
  const refused = statSync(parent).isDirectory()
    ? accessProblem(parent, constants.W_OK | constants.X_OK)
    : 'ENOTDIR';
  return refused === undefined
    ? ok(`${folder} is not there yet; the first start makes it`)
    : problem(
        `${folder} is not there, and cannot be made in ${parent} (${refused}); make it for the user of the service`,
      );
}

function findSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MIB)} MiB are free for ${folder}`;
  if (free < LEAST_FREE) return problem(`only ${text}; make room, or changes will be refused`);
  return free < LITTLE_FREE ? warning(`only ${text}; make room soon`) : ok(text);
}

function findRights(folder: string): Finding[] {
  const stats = statSync(folder);
  if (!stats.isDirectory()) return [problem(`${folder} is no folder; name another by the setting data`)];
  const refused = accessProblem(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  if (refused !== undefined)
    return [
      problem(
        `${asUser()} may not write to ${folder} (${refused}); ask as the user of the service, or change its owner`,
      ),
    ];
  return isOpenToOthers(stats)
    ? [warning(`others on this machine may open ${folder}; take that away by: chmod go= ${folder}`)]
    : [];
}

export const dataFolderCheck: Check = {
  name: 'data folder',
  settings: ['data', 'store'],
  find: async ({ config: { data, store } }) => {
    if (store.kind === 'postgres') return [];
    if (!existsSync(data)) return [findMissing(data)];
    return [...findRights(data), findSpace(data)];
  },
};
