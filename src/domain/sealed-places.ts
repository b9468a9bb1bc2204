// Where each secret of the store is kept. Whoever seals or opens one takes its place from here.

import type { Address } from './addresses/address.ts';
import type { RecordName } from './record-name.ts';
import type { SealedPlace } from './secret.ts';
import type { DriverRecordKind } from './vocabulary.ts';

export const hostKeyPlace = (host: Address): SealedPlace => ({
  table: 'host_access',
  row: host,
  column: 'ssh_priv_key',
});

export const optionPlace = (kind: DriverRecordKind, name: RecordName, option: string): SealedPlace => ({
  table: 'driver_records',
  row: `${kind}/${name}`,
  column: `options.${option}`,
});

export const identityPlace: SealedPlace = { table: 'service_identity', row: '1', column: 'private_key' };

export const logKeyPlace: SealedPlace = { table: 'log_keys', row: '1', column: 'sealed_key' };

export const webhookPlace = (name: RecordName, column: 'url' | 'secret'): SealedPlace => ({
  table: 'webhooks',
  row: name,
  column: `sealed_${column}`,
});
