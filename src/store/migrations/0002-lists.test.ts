import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { describeStores, makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { addressInLine, newHost } from '../../domain/hosts/host.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import type { Sealed } from '../../domain/secret.ts';
import { postgresDialect } from '../postgres/dialect.ts';
import { openPool } from '../postgres/pool.ts';
import { SqliteConnection } from '../sqlite/connection.ts';
import { openDatabase } from '../sqlite/database.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import type { Tables } from '../tables/tables.ts';
import { migrations } from './index.ts';

const few = recordNameOf('few');
const addressOf = (index: number) => `127.1.0.${index}` as Address;

describeStores(
  kind => `a store of the first version, on ${kind}`,
  kind => {
    test('keeps its hosts, their access and their clusters', async () => {
      const old = await makeStorePlace(kind);
      const db = new Kysely<Tables>({
        dialect:
          kind === 'sqlite'
            ? sqliteDialect(
                new SqliteConnection(openDatabase(`${old.folder}/hostler.sqlite`, { readonly: false })),
              )
            : postgresDialect(openPool(old.location, { size: 5, answerWithinMs: 10_000 })),
      });
      const provider = { getMigrations: async () => ({ ...migrations }) };
      const { error } = await new Migrator({ db, provider }).migrateTo('0001-records');
      expect(error).toBeUndefined();
      await db
        .insertInto('clusters')
        .values({ name: few, network: recordNameOf('n'), container_manager: null, revision: 'r' })
        .execute();
      const { enrolment, reason, os, cpus, source } = newHost(addressOf(1), { enrolment: 'e' });
      const columns = { enrolment, reason, os, cpus, source, memory_kib: 7, space_kib: 8, last_check: '' };
      await db
        .insertInto('hosts')
        .values({ ...columns, address: addressOf(1), sort_key: 'k', status: 'active', cluster: few })
        .execute();
      const access = { remote_user: 'root', ssh_port: 22, ssh_priv_key: 'v1.x.y' as Sealed };
      await db
        .insertInto('host_access')
        .values({ ...access, host: addressOf(1), host_keys_json: '[]' })
        .execute();
      await db.destroy();

      const opened = await openPlace(old);
      expect((await opened.reads.hosts.list({}, {})).items.map(addressInLine)).toEqual([addressOf(1)]);
      expect(await opened.reads.hosts.get(addressOf(1))).toMatchObject({ cluster: few, memoryKib: 7 });
      expect(await opened.reads.hostAccess.get(addressOf(1))).toMatchObject({ sshPrivKey: 'v1.x.y' });
      // What refers to something that is not there is refused as before.
      const orphan = opened.transaction(records =>
        records.hostAccess.insert(addressOf(2), {
          remoteUser: 'root',
          sshPort: 22,
          hostKeys: [],
          transport: '',
          offeredHostKey: null,
          enrolledBy: null,
          sshPrivKey: 'v1.x.y' as Sealed,
        }),
      );
      await expect(orphan).rejects.toThrow(/foreign key/i);
      await opened.close();
      await old.remove();
    });
  },
);
