import ipaddr from 'ipaddr.js';

declare const address: unique symbol;

/** A host's address: an IPv4 literal, or an IPv6 one in the canonical form of RFC 5952. No names, no zones. */
export type Address = string & { readonly [address]: true };

/** Four numbers up to 255, in decimal and without leading zeros. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** An IPv6 literal that ends as IPv4 does, with the two groups that this stands for; `undefined` if it is not written in decimal. */
function withoutDots(text: string): string | undefined {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (!tail.includes('.')) return text;
  if (!IPV4.test(tail)) return undefined;
  const hex = Buffer.from(ipaddr.IPv4.parse(tail).toByteArray()).toString('hex');
  return `${text.slice(0, -tail.length)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

/** The canonical form of an IP literal, `::ffff:` unwrapped; `undefined` for anything else. */
export function parseAddress(text: string): Address | undefined {
  if (IPV4.test(text)) return text as Address;
  const groups = text.includes('%') ? undefined : withoutDots(text);
  if (groups === undefined || !ipaddr.IPv6.isValid(groups)) return undefined;
  const parsed = ipaddr.IPv6.parse(groups);
  return (
    parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toRFC5952String()
  ) as Address;
}

/** What is said of a text that is none. */
export const ADDRESS_RULE = 'must be an IPv4 or IPv6 address';

/** Sorts as text in the order of the addresses' numeric values, IPv4 before IPv6. */
export function addressSortKey(address: Address): string {
  const parsed = ipaddr.parse(address);
  return parsed.kind().slice(-1) + Buffer.from(parsed.toByteArray()).toString('hex');
}

export const compareAddresses = (a: Address, b: Address): number => {
  const [keyA, keyB] = [addressSortKey(a), addressSortKey(b)];
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0;
};
