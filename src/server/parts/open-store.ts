import { errorCode } from '../../lib/errors/error-code.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import type { Log } from '../../lib/log.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { Turnstile } from '../../lib/turns/turnstile.ts';
import type { StoreMeter } from '../../store/meter.ts';
import { openPostgres } from '../../store/postgres/open-postgres.ts';
import { lockFileIn, lockFolder } from '../../store/sqlite/folder-lock.ts';
import { openSqlite } from '../../store/sqlite/open-sqlite.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../configuration/settings.ts';
import { dataFolderProblem } from './data-folder-problem.ts';
import { storeProblem } from './store-problem.ts';

/** A disk that is full, or broken, may be in order a moment later. */
const PASSING = new Set(['ENOSPC', 'EDQUOT', 'EIO']);

function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    const Told = PASSING.has(errorCode(error)) ? PlainError : LastingError;
    throw new Told(
      dataFolderProblem(folder) ??
        `cannot create the data directory ${folder}: ${messageOf(error)}; change the setting data`,
    );
  }
}

/** Creates the data directory if it is missing, and locks it for this process. Returns the function that releases the lock. */
export function takeDataFolder(folder: string): () => void {
  makeDataFolder(folder);
  try {
    return lockFolder(folder);
  } catch (error) {
    throw storeProblem(error, folder, lockFileIn(folder));
  }
}

/** Opens the store to serve it: brings its schema up to date and, if it is embedded, keeps the folder to this process. */
export async function openStore(
  { store, store_direct, data, limit_store_connections }: Config,
  log: Pick<Log, 'warn'>,
  meter?: StoreMeter,
): Promise<Store> {
  if (store.kind === 'postgres')
    return openPostgres(store.url, {
      directUrl: store_direct,
      connections: limit_store_connections,
      tell: message => log.warn(message),
      ...(meter && { meter }),
    });
  const unlock = takeDataFolder(data);
  try {
    const opened = await openSqlite(data, { turnstile: new Turnstile(), ...(meter && { meter }) });
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
    throw storeProblem(error, data);
  }
}

/** Opens the store for a moment, beside the service that may be running on it. */
export const visitStore = ({ store, data }: Config): Promise<Store> =>
  store.kind === 'postgres'
    ? openPostgres(store.url, { visiting: true })
    : openSqlite(data, { visiting: true }).catch(error => {
        throw storeProblem(error, data);
      });
