// Problems of the data directory that only an administrator can fix, for the doctor and for a failed start.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { CpuThrottle } from '../../lib/concurrency.ts';
import { errorCode, errorCodeOrMessage, errorMessage, OperatorError, PermanentError } from '../../lib/errors.ts';
import { createPrivateDirectory } from '../../lib/files.ts';
import type { Log } from '../../lib/log.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import { openPostgres } from '../../store/postgres/open-postgres.ts';
import { openSqlite, storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { lockDataDirectory, lockFilePath } from '../../store/sqlite/store-files.ts';
import type { Store } from '../../store/store.ts';
import type { StoreMetrics } from '../../store/store-metrics.ts';
import type { Config } from '../configuration/settings.ts';

const { R_OK, W_OK, X_OK } = constants;

export function findAccessError(file: string, mode: number): string | undefined {
  try {
    accessSync(file, mode);
    return undefined;
  } catch (error) {
    return errorCodeOrMessage(error);
  }
}

function checkPermissions(file: string, mode: number): string | undefined {
  const accessError = findAccessError(file, mode);
  if (accessError === undefined) return undefined;
  return accessError === 'EROFS'
    ? `${file} is on a read-only file system (EROFS); remount it, or change the setting data`
    : `user ${process.getuid?.() ?? 'of this process'} cannot write to ${file} (${accessError}); run this command as the service user, or change the owner`;
}

const findExistingParent = (folder: string): string =>
  existsSync(folder) ? folder : findExistingParent(path.dirname(folder));

function checkCreatable(folder: string): string | undefined {
  const parent = findExistingParent(folder);
  const accessError = statSync(parent).isDirectory() ? findAccessError(parent, W_OK | X_OK) : 'ENOTDIR';
  return (
    accessError &&
    `${folder} does not exist and cannot be created in ${parent} (${accessError}); create it for the service user`
  );
}

/** Returns why the directory cannot be used or created. */
export function checkDataFolder(folder: string): string | undefined {
  if (!existsSync(folder)) return checkCreatable(folder);
  if (!statSync(folder).isDirectory()) return `${folder} is not a directory; change the setting data`;
  return checkPermissions(folder, R_OK | W_OK | X_OK);
}

/** Returns why a file of the store cannot be used. The usual cause is an earlier start as another user. */
function checkStoreFiles(folder: string): string | undefined {
  const store = storeFilePath(folder);
  for (const file of [lockFilePath(folder), store, `${store}-wal`, `${store}-shm`]) {
    if (!existsSync(file)) continue;
    if (!statSync(file).isFile()) return `${file} is not a regular file; move it away`;
    const permissionError = checkPermissions(file, R_OK | W_OK);
    if (permissionError !== undefined) return permissionError;
  }
  return undefined;
}

interface StoreErrorRule {
  readonly codes: RegExp;
  readonly state: string;
  readonly remedy: string;
  readonly isPermanent?: true;
}

/** Applies if the files exist with correct permissions. */
const SQLITE_ERRORS: readonly StoreErrorRule[] = [
  { codes: /^SQLITE_FULL/, state: 'cannot grow', remedy: 'free space on its disk' },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    state: 'is locked by another process',
    remedy: 'stop that process, or try again',
  },
  {
    codes: /^SQLITE_(NOTADB|CORRUPT)/,
    state: 'is corrupt or not a Hostler store',
    remedy: 'restore a backup (hostler restore), or move the file away',
    isPermanent: true,
  },
  {
    codes: /^SQLITE_(READONLY|PERM|AUTH)/,
    state: 'is read-only',
    remedy: 'change its permissions, or change the setting data',
    isPermanent: true,
  },
  {
    codes: /^SQLITE_(IOERR|CANTOPEN)/,
    state: 'cannot be read or written',
    remedy: 'check whether its disk is full or defective',
  },
];

/** Translates an error of the embedded store for the operator. Other errors are returned unchanged. */
export function explainStoreError(error: unknown, folder: string, file = storeFilePath(folder)): unknown {
  const reason = error instanceof StoreUnavailableError ? error.cause : error;
  // SQLite has no error code for this case.
  const isUnknownFormat = errorMessage(reason) === 'unsupported file format';
  const code = isUnknownFormat ? 'SQLITE_NOTADB' : errorCode(reason);
  const rule = SQLITE_ERRORS.find(({ codes }) => codes.test(code));
  if (rule === undefined) return error;
  const fileError = checkDataFolder(folder) ?? checkStoreFiles(folder);
  if (fileError !== undefined) return new PermanentError(fileError, { cause: error });
  const ErrorType = rule.isPermanent ? PermanentError : OperatorError;
  const { state, remedy } = rule;
  return new ErrorType(`${file} ${state} (${sanitizeLine(errorMessage(reason))}); ${remedy}`, { cause: error });
}

const TRANSIENT_DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

function createDataFolder(folder: string): void {
  try {
    createPrivateDirectory(folder);
  } catch (error) {
    const ErrorType = TRANSIENT_DISK_ERRORS.has(errorCode(error)) ? OperatorError : PermanentError;
    throw new ErrorType(
      checkDataFolder(folder) ??
        `cannot create the data directory ${folder}: ${errorMessage(error)}; change the setting data`,
    );
  }
}

/** Creates the data directory if it is missing, and locks it. Returns the function that releases the lock. */
export function lockDataFolder(folder: string): () => void {
  createDataFolder(folder);
  try {
    return lockDataDirectory(folder);
  } catch (error) {
    throw explainStoreError(error, folder, lockFilePath(folder));
  }
}

/** Migrates the schema and, if the store is embedded, locks the data directory. */
export async function openStore(
  { store, store_direct, data, limit_store_connections }: Config,
  log: Pick<Log, 'warn'>,
  metrics?: StoreMetrics,
): Promise<Store> {
  if (store.kind === 'postgres')
    return openPostgres(store.url, {
      directUrl: store_direct,
      connections: limit_store_connections,
      onWarning: message => log.warn(message),
      ...(metrics && { metrics }),
    });
  const unlock = lockDataFolder(data);
  try {
    const opened = await openSqlite(data, { throttle: new CpuThrottle(), ...(metrics && { metrics }) });
    return {
      ...opened,
      close: async () => {
        try {
          await opened.close();
        } finally {
          unlock();
        }
      },
    };
  } catch (error) {
    unlock();
    throw explainStoreError(error, data);
  }
}

/** Opens the store of a server that may be running, without migrating it. */
export const attachStore = ({ store, data }: Config): Promise<Store> =>
  store.kind === 'postgres'
    ? openPostgres(store.url, { attach: true })
    : openSqlite(data, { attach: true }).catch(error => {
        throw explainStoreError(error, data);
      });
