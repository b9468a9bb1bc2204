// Prepares a backup in a folder inside the data directory, so that a rename puts it in the place of the store. The backup itself is only
// read. The current store is not touched before the copy is verified, and is renamed, never deleted.

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
import { pluralize } from '../../lib/text.ts';
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

/** What SQLite has beside a store that was not closed in order. */
const WAL_SUFFIXES = ['-wal', '-shm'];

interface StagedStore {
  /** A folder with a copy of the backup as its store. */
  readonly folder: string;
  /** Puts it into the place of the store; answers where that was moved to, if there was one. */
  activate(nowMs: number): string | undefined;
  discard(): void;
}

function moveExistingAside(file: string, nowMs: number): string | undefined {
  const renamed = `${file}.before-restore-${fileTimestamp(nowMs)}`;
  checkpointWal(file);
  // A log that is still there would be taken for one of the new store.
  for (const suffix of WAL_SUFFIXES.filter(each => existsSync(`${file}${each}`)))
    renameSync(`${file}${suffix}`, `${renamed}${suffix}`);
  if (!existsSync(file)) return undefined;
  try {
    // Under both names, so that at no moment there is none.
    linkSync(file, renamed);
  } catch (error) {
    if (existsSync(renamed)) throw error;
    // Some file systems have no links.
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
  // Beside a copy of a service that did not stop in order there is a log, which belongs to it.
  for (const suffix of ['', '-wal'].filter(each => each === '' || existsSync(`${backup}${each}`))) {
    const copy = `${storeFilePath(folder)}${suffix}`;
    try {
      copyFileSync(`${backup}${suffix}`, copy);
    } catch (error) {
      throw new OperatorError(`cannot copy ${backup} into the data directory: ${errorMessage(error)}`);
    }
    // The backup may be for reading only.
    chmodSync(copy, 0o600);
  }
}

/** Copies a backup into the data directory, which is locked. */
export function stageBackup(data: string, backup: string): StagedStore {
  const folder = path.join(data, 'restoring');
  const discard = () => rmSync(folder, { recursive: true, force: true });
  // What an earlier one has left that was cut off.
  discard();
  mkdirSync(folder, { mode: 0o700 });
  try {
    copyBackup(folder, backup);
  } catch (error) {
    discard();
    throw error;
  }
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
  /** Whether a store that is there may be moved aside. */
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

function assertReplaceable({ canReplace }: RestoreOptions, { data }: Config): void {
  if (existsSync(storeFilePath(data)) && !canReplace)
    throw new OperatorError(
      `${data} already contains a store; use --replace to rename it and restore the backup`,
    );
}

/** Brings the backup up to date and makes it safe, while it is no store yet. */
async function migrateAndSanitize(config: Config, folder: string, file: string) {
  const store = await openSqlite(folder).catch((error: unknown) => {
    // Another file may do: nothing about the settings is wrong.
    throw error instanceof SchemaUnknownError
      ? new OperatorError(
          `${file}: ${error.reason}; restore it with the version of Hostler that made the backup`,
        )
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
  assertReplaceable(options, config);
  const { folder, activate, discard } = stageBackup(config.data, options.file);
  try {
    printLine(`Checking ${options.file} …`);
    const { hosts, clusters } = inspectStore(storeFilePath(folder), options.file);
    const sanitizeResult = await migrateAndSanitize(config, folder, options.file);
    const previousStore = activate(systemClock.now());
    printLine(`Restored: ${pluralize(hosts, 'host')}, ${pluralize(clusters, 'cluster')}.`);
    if (previousStore !== undefined) printLine(`The previous store was renamed to ${previousStore}.`);
    printRestoreReport(sanitizeResult);
  } finally {
    discard();
  }
}

/** `hostler restore`: the embedded store from a backup, made safe before anything runs on it. */
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
