import type { Address } from '../../domain/address.ts';
import type { SealedPlace } from '../../domain/secret.ts';

/** Where a host's private key is kept. */
export const keyPlace = (host: Address): SealedPlace => ({
  table: 'host_access',
  row: host,
  column: 'ssh_priv_key',
});
