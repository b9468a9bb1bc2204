import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { parseUrlAddress } from '../../domain/addresses/address.ts';
import { isLinkLocalOrMetadata, isPublicAddress } from '../../domain/addresses/public-address.ts';

/** A name or a URL leads only to addresses that the settings do not allow. */
export class ForbiddenAddressError extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** The addresses that may be connected to, and the sentence for the others. */
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
  problem:
    'the URL points to a link-local or cloud metadata address; set allow_link_local on the server to allow it',
};

/** Throws if a URL has an address that is not allowed. A name in it is checked when it is looked up. */
export function assertAllowed(url: URL, rule: AddressRule | undefined): void {
  const address = parseUrlAddress(url);
  if (rule && address !== undefined && !rule.isAllowed(address))
    throw new ForbiddenAddressError(rule.problem);
}

/**
 * Looks up a name for a connection, and returns only addresses that are allowed. It is called for each connection, because a name may lead
 * elsewhere from one moment to the next.
 */
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
