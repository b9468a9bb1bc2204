import { mkdirSync } from 'node:fs';
import { openPostgres } from '../store/postgres/open-postgres.ts';
import { lockFolder } from '../store/sqlite/folder-lock.ts';
import { openSqlite } from '../store/sqlite/open-sqlite.ts';
import type { Store } from '../store/store.ts';
import type { Config } from './settings.ts';

/** Opens the store to serve it: brings its schema up to date and, if it is embedded, keeps the folder to this process. */
export async function openStore({ store, data }: Config): Promise<Store> {
  if (store.kind === 'postgres') return openPostgres(store.url);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(data);
  try {
    const opened = await openSqlite(data);
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
