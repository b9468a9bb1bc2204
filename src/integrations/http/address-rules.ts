import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { parseUrlAddress } from '../../domain/addresses/address.ts';
import { isLinkLocalOrMetadata, isPublicAddress } from '../../domain/addresses/public-address.ts';

/** All addresses of a host name or URL are forbidden by the settings. */
export class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** `problem` is the error message for forbidden addresses. */
export interface AddressRule {
  readonly isAllowed: (address: string) => boolean;
  readonly problem: string;
}

export const PUBLIC_ONLY: AddressRule = {
  isAllowed: isPublicAddress,
  problem: 'the URL points to a private address; set webhook_allow_private on the server to allow it',
};

/** Clouds serve the credentials of a machine at link-local and a few other addresses. */
export const NO_METADATA: AddressRule = {
  isAllowed: address => !isLinkLocalOrMetadata(address),
  problem: 'the URL points to a link-local or cloud metadata address; set allow_link_local on the server to allow it',
};

/** Checks only URLs with an IP address. `filteredLookup` checks host names. */
export function assertAllowed(url: URL, rule: AddressRule | undefined): void {
  const address = parseUrlAddress(url);
  if (rule && address !== undefined && !rule.isAllowed(address)) throw new ForbiddenAddressError(rule.problem);
}

/** Called for each connection, because DNS can change at any time (DNS rebinding). */
export const filteredLookup =
  ({ isAllowed, problem }: AddressRule, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const allowed = found.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(new ForbiddenAddressError(problem), []);
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
