import type { TcpProxy } from '../tcp-proxy.ts';
import { startPostgresProxy } from './postgres.ts';
import type { TestDatabase } from './stores.ts';
import { createTestDatabase } from './stores.ts';

/** A PostgreSQL database behind a proxy that tests can cut. */
export interface ProxiedPostgres {
  readonly database: TestDatabase;
  readonly proxy: TcpProxy;
  /** Value of the setting `store` through the proxy. */
  readonly proxiedLocation: string;
  remove(): Promise<void>;
}

export async function proxiedPostgres(): Promise<ProxiedPostgres> {
  const database = await createTestDatabase('postgres', { isMigrated: true });
  const { proxy, url } = await startPostgresProxy(database.location);
  return {
    database,
    proxy,
    proxiedLocation: url,
    remove: async () => {
      await proxy.cut();
      await database.remove();
    },
  };
}
