// Writes a backup to a temporary file and renames it. Invariants: the target is at any time missing,
// unchanged or a complete backup, and only its owner can read it.

import { closeSync, existsSync, linkSync, lstatSync, openSync, realpathSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { errorCode, errorMessage, OperatorError } from '../../lib/errors.ts';
import { fsyncPath } from '../../lib/files.ts';
import { newId } from '../../lib/random.ts';
import { formatCount } from '../../lib/text.ts';
import type { StoreContents } from '../../store/sqlite/inspect-sqlite.ts';
import { inspectStore } from '../../store/sqlite/inspect-sqlite.ts';
import { storeFilePath, storeMissingMessage } from '../../store/sqlite/open-sqlite.ts';
import { backupDatabase } from '../../store/sqlite/store-files.ts';
import type { ConfigSources } from '../configuration/config.ts';
import { loadConfig } from '../configuration/config.ts';
import type { Config } from '../configuration/settings.ts';
import { createProgressPrinter, formatFileSize, printLine } from '../process.ts';
import { getKeyFile } from '../secret-keys.ts';

interface BackupOptions {
  readonly file: string;
  readonly canOverwrite: boolean;
}

/** Protects the store, its lock file and the secret key from being overwritten. */
function isServerFile(target: string, config: Config): boolean {
  const isInData = existsSync(config.data) && path.dirname(target) === realpathSync(config.data);
  const isStore = isInData && /^(hostler|lock)\.sqlite(-|$)/.test(path.basename(target));
  const keyFile = path.resolve(getKeyFile(config));
  return isStore || target === (existsSync(keyFile) ? realpathSync(keyFile) : keyFile);
}

/** Returns the absolute path of the target. Throws if a backup cannot be written there. */
function resolveTarget({ file, canOverwrite }: BackupOptions, config: Config): string {
  if (file === '' || file === '-')
    throw new OperatorError(
      'specify a file name; a backup cannot be written to standard output because it is verified afterwards',
    );
  const { dir, base } = path.parse(path.resolve(file));
  if (!existsSync(dir)) throw new OperatorError(`the directory ${dir} does not exist; create it first`);
  const target = path.join(realpathSync(dir), base);
  if (isServerFile(target, config))
    throw new OperatorError(`${file} is a file of the server itself; choose another name`);
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (existing && !existing.isFile())
    throw new OperatorError(`${file} exists and is not a regular file; choose another name`);
  if (existing && !canOverwrite)
    throw new OperatorError(`${file} already exists; choose another name, or use --force to replace it`);
  return target;
}

/** Fails if another process has created the target in the meantime. */
function renameExclusively(partial: string, target: string): void {
  try {
    linkSync(partial, target);
    rmSync(partial);
  } catch (error) {
    if (existsSync(target)) throw new OperatorError(`${target} was created by another process in the meantime`);
    // The file system does not support hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error))) throw error;
    renameSync(partial, target);
  }
}

/** `partial` is a temporary file in the same directory as the target. */
function createBackupTarget(options: BackupOptions, config: Config) {
  const target = resolveTarget(options, config);
  const partial = `${target}.partial-${newId()}`;
  const discard = () => {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true });
  };
  try {
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    throw new OperatorError(`cannot write ${options.file}: ${errorMessage(error)}`);
  }
  const publish = () => {
    fsyncPath(partial);
    if (options.canOverwrite) renameSync(partial, target);
    else renameExclusively(partial, target);
    fsyncPath(path.dirname(target));
  };
  return { partial, publish, discard };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function findStoreFile({ store, data }: Config): string {
  if (store.kind === 'postgres')
    throw new OperatorError(
      'the store is a PostgreSQL database; back it up with PostgreSQL tools such as pg_dump (see docs/admin/backup-and-restore.md)',
    );
  const file = storeFilePath(data);
  if (!existsSync(file)) throw new OperatorError(storeMissingMessage(data));
  return file;
}

function printSummary(config: Config, { file, hosts, clusters }: StoreContents & { readonly file: string }): void {
  printLine(
    `Saved ${formatCount(hosts, 'host')} and ${formatCount(clusters, 'cluster')} to ${file} (${formatFileSize(file)}) and verified the file.`,
  );
  const keyLocation = config.secret_key ? 'in the setting secret_key' : `in ${getKeyFile(config)}`;
  printLine(`The backup does not contain the secret key. The key is ${keyLocation}; keep a copy of it elsewhere.`);
  printLine('Without the key, the private keys and other secrets in the backup cannot be decrypted.');
}

/** `hostler backup`: writes and verifies a copy of the embedded store. The server can keep running. */
export async function runBackup(sources: ConfigSources, options: BackupOptions): Promise<void> {
  const config = loadConfig(sources);
  const store = findStoreFile(config);
  const backup = createBackupTarget(options, config);
  const stop = () => {
    backup.discard();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const onProgress = createProgressPrinter(fraction => `${Math.floor(fraction * 100)} % copied`);
    await backupDatabase(store, backup.partial, onProgress);
    const contents = inspectStore(backup.partial, 'the copy');
    backup.publish();
    printSummary(config, { ...contents, file: options.file });
  } catch (error) {
    backup.discard();
    throw error instanceof OperatorError ? error : new OperatorError(`the backup failed: ${errorMessage(error)}`);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}
