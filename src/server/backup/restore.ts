// Prepares a backup in a folder inside the data directory, so that a rename replaces the store. The backup itself is
// only read. The current store is not changed before the copy is verified, and it is renamed, never deleted.

import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { errorMessage, OperatorError } from '../../lib/errors.ts';
import { fileTimestamp, fsyncPath } from '../../lib/files.ts';
import { formatCount } from '../../lib/text.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { SchemaUnknownError } from '../../store/migrate.ts';
import { inspectStore } from '../../store/sqlite/inspect-sqlite.ts';
import { openSqlite, storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { checkpointWal, lockFilePath } from '../../store/sqlite/store-files.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { printLine } from '../process.ts';
import { lockDataFolder } from '../wiring/open-store.ts';
import { assertSecretKey, printRestoreReport, sanitizeStore } from './after-restore.ts';

/** Files that SQLite leaves beside a store after an unclean shutdown. */
const WAL_SUFFIXES = ['-wal', '-shm'];

function moveExistingAside(file: string, nowMs: number): string | undefined {
  const renamed = `${file}.before-restore-${fileTimestamp(nowMs)}`;
  checkpointWal(file);
  // SQLite would apply a remaining WAL to the new store.
  for (const suffix of WAL_SUFFIXES.filter(each => existsSync(`${file}${each}`)))
    renameSync(`${file}${suffix}`, `${renamed}${suffix}`);
  if (!existsSync(file)) return undefined;
  try {
    // A hard link instead of a rename: the store exists at any time under at least one name.
    linkSync(file, renamed);
  } catch (error) {
    if (existsSync(renamed)) throw error;
    // The file system does not support hard links.
    renameSync(file, renamed);
  }
  return renamed;
}

/** When run as root: gives the files to the owner of the data directory. */
function chownToDataOwner(data: string, files: readonly string[]): void {
  const { uid, gid } = statSync(data);
  if (process.getuid?.() === 0) for (const file of files) chownSync(file, uid, gid);
}

function copyBackup(folder: string, backup: string): void {
  // A copy of a store after an unclean shutdown includes its WAL.
  for (const suffix of ['', '-wal'].filter(each => each === '' || existsSync(`${backup}${each}`))) {
    const copy = `${storeFilePath(folder)}${suffix}`;
    try {
      copyFileSync(`${backup}${suffix}`, copy);
    } catch (error) {
      throw new OperatorError(`cannot copy ${backup} into the data directory: ${errorMessage(error)}`);
    }
    // The backup can be read-only.
    chmodSync(copy, 0o600);
  }
}

/** Copies the backup into a folder, with the file name of a store. Requires the lock of the data directory. */
function stageBackup(data: string, backup: string) {
  const folder = path.join(data, 'restoring');
  const discard = () => rmSync(folder, { recursive: true, force: true });
  // Removes the rest of an interrupted restore.
  discard();
  mkdirSync(folder, { mode: 0o700 });
  try {
    copyBackup(folder, backup);
  } catch (error) {
    discard();
    throw error;
  }
  /** Replaces the store. Returns the new path of the previous store, if there was one. */
  const activate = (nowMs: number) => {
    const file = storeFilePath(folder);
    chownToDataOwner(data, [file, lockFilePath(data)]);
    fsyncPath(file);
    const previousStore = moveExistingAside(storeFilePath(data), nowMs);
    renameSync(file, storeFilePath(data));
    fsyncPath(data);
    discard();
    return previousStore;
  };
  return { folder, activate, discard };
}

interface RestoreOptions {
  readonly file: string;
  readonly canReplace: boolean;
}

function assertBackupFile({ file }: RestoreOptions, { data }: Config): void {
  const stats = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new OperatorError(`the file ${file} does not exist`);
  if (!stats.isFile()) throw new OperatorError(`${file} is not a regular file`);
  const store = storeFilePath(data);
  if (existsSync(store) && realpathSync(file) === realpathSync(store))
    throw new OperatorError(`${file} is the current store, not a backup`);
}

async function migrateAndSanitize(config: Config, folder: string, file: string) {
  const store = await openSqlite(folder).catch((error: unknown) => {
    // An OperatorError, because the cause is the backup file, not the configuration.
    throw error instanceof SchemaUnknownError
      ? new OperatorError(`${file}: ${error.reason}; restore it with the version of Hostler that made the backup`)
      : error;
  });
  try {
    await assertSecretKey(config, store);
    return await sanitizeStore(config, store);
  } finally {
    await store.close();
  }
}

async function restoreUnderLock(config: Config, options: RestoreOptions): Promise<void> {
  const { data } = config;
  if (existsSync(storeFilePath(data)) && !options.canReplace)
    throw new OperatorError(`${data} already contains a store; use --replace to rename it and restore the backup`);
  const { folder, activate, discard } = stageBackup(data, options.file);
  try {
    printLine(`Checking ${options.file} …`);
    const { hosts, clusters } = inspectStore(storeFilePath(folder), options.file);
    const sanitizeResult = await migrateAndSanitize(config, folder, options.file);
    const previousStore = activate(systemClock.now());
    printLine(`Restored: ${formatCount(hosts, 'host')}, ${formatCount(clusters, 'cluster')}.`);
    if (previousStore !== undefined) printLine(`The previous store was renamed to ${previousStore}.`);
    printRestoreReport(sanitizeResult);
  } finally {
    discard();
  }
}

/** `hostler restore`: restores the embedded store from a backup. */
export async function runRestore(sources: ConfigSources, options: RestoreOptions): Promise<void> {
  const config = loadConfig(sources);
  if (config.store.kind === 'postgres')
    throw new OperatorError(
      'the store is a PostgreSQL database; restore it with PostgreSQL tools, then run hostler admin after-restore (see docs/admin/backup-and-restore.md)',
    );
  assertBackupFile(options, config);
  const unlock = lockDataFolder(config.data);
  try {
    await restoreUnderLock(config, options);
  } finally {
    unlock();
  }
}
