// Prepares a backup in a folder inside the data directory, so that a rename puts it in the place of the store. The backup itself is only
// read. The current store is not touched before the copy is verified, and is renamed, never deleted.

import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { syncPath } from '../../lib/sync-path.ts';
import { fileStamp } from '../../lib/time/file-stamp.ts';
import { foldLog } from '../../store/sqlite/fold-log.ts';
import { lockFileIn } from '../../store/sqlite/folder-lock.ts';
import { storeFileIn } from '../../store/sqlite/open-sqlite.ts';

/** What SQLite has beside a store that was not closed in order. */
const BESIDE = ['-wal', '-shm'];

interface RestoredStore {
  /** A folder with a copy of the backup as its store. */
  readonly folder: string;
  /** Puts it into the place of the store; answers where that was moved to, if there was one. */
  takePlace(nowMs: number): string | undefined;
  discard(): void;
}

function moveAside(file: string, nowMs: number): string | undefined {
  const aside = `${file}.before-restore-${fileStamp(nowMs)}`;
  foldLog(file);
  // A log that is still there would be taken for one of the new store.
  for (const suffix of BESIDE.filter(each => existsSync(`${file}${each}`)))
    renameSync(`${file}${suffix}`, `${aside}${suffix}`);
  if (!existsSync(file)) return undefined;
  try {
    // Under both names, so that at no moment there is none.
    linkSync(file, aside);
  } catch (error) {
    if (existsSync(aside)) throw error;
    // Some file systems have no links.
    renameSync(file, aside);
  }
  return aside;
}

/** When run as root: gives the files to the owner of the data directory. */
function giveToOwner(data: string, files: readonly string[]): void {
  const { uid, gid } = statSync(data);
  if (process.getuid?.() === 0) for (const file of files) chownSync(file, uid, gid);
}

function copyInto(folder: string, backup: string): void {
  // Beside a copy of a service that did not stop in order there is a log, which belongs to it.
  for (const suffix of ['', '-wal'].filter(each => each === '' || existsSync(`${backup}${each}`))) {
    const copy = `${storeFileIn(folder)}${suffix}`;
    try {
      copyFileSync(`${backup}${suffix}`, copy);
    } catch (error) {
      throw new PlainError(`cannot copy ${backup} into the data directory: ${messageOf(error)}`);
    }
    // The backup may be for reading only.
    chmodSync(copy, 0o600);
  }
}

/** Copies a backup into the data directory, which is locked. */
export function stageBackup(data: string, backup: string): RestoredStore {
  const folder = path.join(data, 'restoring');
  const discard = () => rmSync(folder, { recursive: true, force: true });
  // What an earlier one has left that was cut off.
  discard();
  mkdirSync(folder, { mode: 0o700 });
  try {
    copyInto(folder, backup);
  } catch (error) {
    discard();
    throw error;
  }
  const takePlace = (nowMs: number) => {
    const file = storeFileIn(folder);
    giveToOwner(data, [file, lockFileIn(data)]);
    syncPath(file);
    const aside = moveAside(storeFileIn(data), nowMs);
    renameSync(file, storeFileIn(data));
    syncPath(data);
    discard();
    return aside;
  };
  return { folder, takePlace, discard };
}
