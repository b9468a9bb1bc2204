import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../../domain/addresses/public-address.ts';

/** A name leads only to addresses that we may not connect to. */
export class PrivateAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  constructor() {
    super('it is at a private address, which webhook_allow_private does not allow');
  }
}

/**
 * Looks up a name for a connection, and gives it only addresses of the internet: one of those is connected to. Asked anew for each
 * connection, since a name may lead elsewhere from one moment to the next.
 */
export const publicLookup =
  (resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const allowed = found.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (first === undefined) return callback(new PrivateAddress(), []);
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
