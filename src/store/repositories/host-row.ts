import type { Insertable, Selectable } from 'kysely';
import { addressSortKey } from '../../domain/address.ts';
import type { Host } from '../../domain/host.ts';
import type { Tables } from '../tables.ts';

type Row = Selectable<Tables['hosts']>;

/** What a host is made of. */
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
  'registered_with',
  'in_maintenance',
  'maintenance_reason',
] as const satisfies readonly (keyof Row)[];

export const toHost = (row: Pick<Row, (typeof HOST_COLUMNS)[number]>): Host => ({
  address: row.address,
  enrolment: row.enrolment,
  status: row.status,
  reason: row.reason,
  os: row.os,
  cpus: row.cpus,
  memoryKib: row.memory_kib,
  spaceKib: row.space_kib,
  lastCheck: row.last_check,
  source: row.source,
  cluster: row.cluster,
  hostname: row.hostname,
  bootId: row.boot_id,
  osDriver: row.os_driver,
  registeredWith: row.registered_with,
  maintenance: row.in_maintenance ? row.maintenance_reason : null,
});

export const toHostRow = (host: Host): Insertable<Tables['hosts']> => ({
  address: host.address,
  sort_key: addressSortKey(host.address),
  enrolment: host.enrolment,
  status: host.status,
  reason: host.reason,
  os: host.os,
  cpus: host.cpus,
  memory_kib: host.memoryKib,
  space_kib: host.spaceKib,
  last_check: host.lastCheck,
  source: host.source,
  cluster: host.cluster,
  hostname: host.hostname,
  boot_id: host.bootId,
  os_driver: host.osDriver,
  registered_with: host.registeredWith,
  in_maintenance: host.maintenance === null ? 0 : 1,
  maintenance_reason: host.maintenance ?? '',
});
