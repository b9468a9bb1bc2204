import type { Insertable, Selectable } from 'kysely';
import { addressSortKey } from '../../../domain/addresses/address.ts';
import type { Host } from '../../../domain/hosts/host.ts';
import type { OverridableFacts, SourceFacts } from '../../../domain/hosts/host-facts.ts';
import { effectiveFacts } from '../../../domain/hosts/host-facts.ts';
import type { StoredKeys } from '../../json-column.ts';
import { jsonColumn } from '../../json-column.ts';
import type { Tables } from '../../tables/tables.ts';

type Row = Selectable<Tables['hosts']>;

export const HOST_COLUMNS = [
  'address',
  'enrolment',
  'status',
  'reason',
  'os',
  'cpus',
  'memory_kib',
  'space_kib',
  'last_check',
  'source',
  'cluster',
  'hostname',
  'boot_id',
  'os_driver',
  'os_version',
  'kernel',
  'architecture',
  'boots',
  'booted_at',
  'registered_with',
  'in_maintenance',
  'maintenance_reason',
  'host_facts_json',
  'source_facts_json',
] as const satisfies readonly (keyof Row)[];

type HostRow = Pick<Row, (typeof HOST_COLUMNS)[number]>;

/** The keys match the column names. */
const FACT_KEYS: StoredKeys<OverridableFacts> = {
  os: 'os',
  cpus: 'cpus',
  memoryKib: 'memory_kib',
  spaceKib: 'space_kib',
  hostname: 'hostname',
};
const hostFactsJson = jsonColumn<OverridableFacts>(FACT_KEYS);
const sourceFactsJson = jsonColumn<SourceFacts>({ ...FACT_KEYS, conditions: 'conditions' });

const toHostFacts = (row: HostRow): OverridableFacts =>
  row.host_facts_json === null
    ? {
        os: row.os,
        cpus: row.cpus,
        memoryKib: row.memory_kib,
        spaceKib: row.space_kib,
        hostname: row.hostname,
      }
    : hostFactsJson.parse(row.host_facts_json);

export const toHost = (row: HostRow): Host => ({
  address: row.address,
  enrolment: row.enrolment,
  status: row.status,
  reason: row.reason,
  ...toHostFacts(row),
  lastCheck: row.last_check,
  source: row.source,
  sourceFacts: row.source_facts_json === null ? null : sourceFactsJson.parse(row.source_facts_json),
  cluster: row.cluster,
  bootId: row.boot_id,
  osDriver: row.os_driver,
  osVersion: row.os_version,
  kernel: row.kernel,
  architecture: row.architecture,
  boots: row.boots,
  bootedAt: row.booted_at,
  registeredWith: row.registered_with,
  maintenance: row.in_maintenance ? row.maintenance_reason : null,
});

/** The columns for lists and filters contain the effective facts. */
function toFactColumns({ os, cpus, memoryKib, spaceKib, hostname, sourceFacts }: Host) {
  const hostFacts: OverridableFacts = { os, cpus, memoryKib, spaceKib, hostname };
  const effective = effectiveFacts(hostFacts, sourceFacts);
  return {
    os: effective.os,
    cpus: effective.cpus,
    memory_kib: effective.memoryKib,
    space_kib: effective.spaceKib,
    hostname: effective.hostname,
    host_facts_json: sourceFacts === null ? null : hostFactsJson.stringify(hostFacts),
    source_facts_json: sourceFacts === null ? null : sourceFactsJson.stringify(sourceFacts),
  };
}

export const toHostRow = (host: Host): Insertable<Tables['hosts']> => ({
  address: host.address,
  sort_key: addressSortKey(host.address),
  enrolment: host.enrolment,
  status: host.status,
  reason: host.reason,
  ...toFactColumns(host),
  last_check: host.lastCheck,
  source: host.source,
  cluster: host.cluster,
  boot_id: host.bootId,
  os_driver: host.osDriver,
  os_version: host.osVersion,
  kernel: host.kernel,
  architecture: host.architecture,
  boots: host.boots,
  booted_at: host.bootedAt,
  registered_with: host.registeredWith,
  in_maintenance: host.maintenance === null ? 0 : 1,
  maintenance_reason: host.maintenance ?? '',
});
