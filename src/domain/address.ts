import ipaddr from 'ipaddr.js';

declare const address: unique symbol;

/** A host's address: an IPv4 literal, or an IPv6 one in the canonical form of RFC 5952. No names, no zones. */
export type Address = string & { readonly [address]: true };

/** The canonical form of an IP literal, `::ffff:` unwrapped; `undefined` for anything else. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text as Address;
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const parsed = ipaddr.IPv6.parse(text);
  return (
    parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toRFC5952String()
  ) as Address;
}

/** Sorts as text in the order of the addresses' numeric values, IPv4 before IPv6. */
export function addressSortKey(address: Address): string {
  const parsed = ipaddr.parse(address);
  return parsed.kind().slice(-1) + Buffer.from(parsed.toByteArray()).toString('hex');
}

export const compareAddresses = (a: Address, b: Address): number => {
  const [keyA, keyB] = [addressSortKey(a), addressSortKey(b)];
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0;
};
