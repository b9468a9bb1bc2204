// Problems of the data directory that only a person can fix, for the doctor and for a failed start.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { codeOrMessage } from '../../lib/errors/code-or-message.ts';
import { lockFileIn } from '../../store/sqlite/folder-lock.ts';
import { storeFileIn } from '../../store/sqlite/open-sqlite.ts';

const { R_OK, W_OK, X_OK } = constants;

const asUser = () => `user ${process.getuid?.() ?? 'of this process'}`;

function refusalOf(file: string, mode: number): string | undefined {
  try {
    accessSync(file, mode);
    return undefined;
  } catch (error) {
    return codeOrMessage(error);
  }
}

function rightsProblem(file: string, mode: number): string | undefined {
  const refused = refusalOf(file, mode);
  if (refused === undefined) return undefined;
  return refused === 'EROFS'
    ? `${file} is on a read-only file system (EROFS); remount it, or change the setting data`
    : `${asUser()} cannot write to ${file} (${refused}); run this command as the service user, or change the owner`;
}

const nearestThere = (folder: string): string =>
  existsSync(folder) ? folder : nearestThere(path.dirname(folder));

function missingProblem(folder: string): string | undefined {
  const parent = nearestThere(folder);
  const refused = statSync(parent).isDirectory() ? refusalOf(parent, W_OK | X_OK) : 'ENOTDIR';
  return (
    refused &&
    `${folder} does not exist and cannot be created in ${parent} (${refused}); create it for the service user`
  );
}

/** Why nothing can be kept in it, or it cannot be made. */
export function dataFolderProblem(folder: string): string | undefined {
  if (!existsSync(folder)) return missingProblem(folder);
  if (!statSync(folder).isDirectory()) return `${folder} is not a directory; change the setting data`;
  return rightsProblem(folder, R_OK | W_OK | X_OK);
}

/** Why a file of the store in it cannot be used: most often another user has once started the service there. */
export function storeFileProblem(folder: string): string | undefined {
  const store = storeFileIn(folder);
  for (const file of [lockFileIn(folder), store, `${store}-wal`, `${store}-shm`]) {
    if (!existsSync(file)) continue;
    if (!statSync(file).isFile()) return `${file} is not a regular file; move it away`;
    const problem = rightsProblem(file, R_OK | W_OK);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
