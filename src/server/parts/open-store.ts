import { messageOf } from '../../lib/errors/message-of.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import type { Log } from '../../lib/log.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import type { StoreMeter } from '../../store/meter.ts';
import { openPostgres } from '../../store/postgres/open-postgres.ts';
import { lockFolder } from '../../store/sqlite/folder-lock.ts';
import { openSqlite } from '../../store/sqlite/open-sqlite.ts';
import type { Store } from '../../store/store.ts';
import type { Config } from '../configuration/settings.ts';

export function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new PlainError(`the data folder ${folder} cannot be made: ${messageOf(error)}`);
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
  makeDataFolder(data);
  const unlock = lockFolder(data);
  try {
    const opened = await openSqlite(data, { ...(meter && { meter }) });
    return {
      ...opened,
      close: async () => {
        await opened.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens the store for a moment, beside the service that may be running on it. */
export const visitStore = ({ store, data }: Config): Promise<Store> =>
  store.kind === 'postgres'
    ? openPostgres(store.url, { visiting: true })
    : openSqlite(data, { visiting: true });
