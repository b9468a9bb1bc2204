import type pg from 'pg';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { sshPrivateKeyLocation } from '../../src/domain/secret.ts';
import { checkOffsetOf } from '../../src/domain/tasks/host-queue.ts';
import { newId } from '../../src/lib/random.ts';
import { openVault } from '../../src/secrets/keyring.ts';
import type { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import { openPostgres } from '../../src/store/postgres/open-postgres.ts';

interface CopyTarget {
  readonly storeUrl: string;
  readonly secretKey: Buffer;
  readonly fleet: SimulatedFleet;
  readonly db: pg.Client;
}

interface CopyOptions {
  /** An enrolled host. */
  readonly model: Address;
  /** Sorted. */
  readonly addresses: readonly Address[];
  readonly getCluster: (address: Address) => string;
}

const BATCH_SIZE = 500;

/** The first check and the first fact gathering are due in a day. */
const INSERT_INTO_HOST_QUEUE = `insert into host_queue (host, check_offset, check_due_at, facts_due_at)
  select host, check_offset, tomorrow, tomorrow from unnest($1::text[], $2::int[]) as checked (host, check_offset),
  (select (extract(epoch from clock_timestamp()) * 1000)::bigint + 86400000 as tomorrow) as times`;

/** Copies the model directly in the store, because enrolling all hosts would take longer than the benchmark. */
export async function copyHosts(target: CopyTarget, { model, addresses, getCluster }: CopyOptions): Promise<void> {
  const store = await openPostgres(target.storeUrl, { attach: true });
  try {
    const { hosts, hostAccess, dataKeys } = store.reads;
    const vault = await openVault(() => [target.secretKey], dataKeys);
    const [host, access] = [await hosts.get(model), await hostAccess.get(model)];
    if (!host || !access?.sshPrivKey) throw new Error('no host to copy');
    const key = await vault.open(access.sshPrivKey, sshPrivateKeyLocation(model), dataKeys);
    for (let from = 0; from < addresses.length; from += BATCH_SIZE) {
      const batch = addresses.slice(from, from + BATCH_SIZE);
      await store.transaction(async records => {
        for (const address of batch) {
          const { hostKey, machine } = target.fleet.host(address);
          const identity = {
            address,
            enrolment: newId(),
            hostname: machine.hostname,
            bootId: machine.bootId,
          };
          await records.hosts.insertOrLock({
            ...host,
            ...identity,
            cluster: toRecordName(getCluster(address)),
          });
          const sshPrivKey = await vault.seal(key, sshPrivateKeyLocation(address), records.dataKeys);
          await records.hostAccess.insert(address, { ...access, sshPrivKey, hostKeys: [hostKey] });
        }
      });
      await target.db.query(INSERT_INTO_HOST_QUEUE, [batch, batch.map(checkOffsetOf)]);
    }
  } finally {
    await store.close();
  }
}
