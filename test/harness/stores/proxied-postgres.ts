import { inject } from 'vitest';
import { startProxy } from '../proxy.ts';
import type { StorePlace } from './stores.ts';
import { makeStorePlace } from './stores.ts';

/** A place on PostgreSQL, and a way to it that can be cut. */
export interface ProxiedPlace {
  readonly place: StorePlace;
  readonly proxy: Awaited<ReturnType<typeof startProxy>>;
  /** The value of the setting `store` that leads through the proxy. */
  readonly through: string;
  remove(): Promise<void>;
}

export async function proxiedPostgres(): Promise<ProxiedPlace> {
  const folder = new URL(inject('postgresUrl')).searchParams.get('host') ?? '';
  const proxy = await startProxy(`${folder}/.s.PGSQL.5432`);
  const place = await makeStorePlace('postgres');
  return {
    place,
    proxy,
    through: `postgres://hostler@127.0.0.1:${proxy.port}${new URL(place.location).pathname}`,
    remove: async () => {
      await proxy.cut();
      await place.remove();
    },
  };
}
