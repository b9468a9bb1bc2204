import ipaddr from 'ipaddr.js';

declare const address: unique symbol;

/** A host's address: an IPv4 literal, or an IPv6 one in the canonical form of RFC 5952. No names, no zones. */
export type Address = string & { readonly [address]: true };

/** Four numbers up to 255, in decimal and without leading zeros. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** An IPv6 literal that ends as IPv4 does, with the two groups that this stands for; `undefined` if it is not written in decimal. */
function expandIpv4Tail(text: string): string | undefined {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (!tail.includes('.')) return text;
  if (!IPV4.test(tail)) return undefined;
  const hex = Buffer.from(ipaddr.IPv4.parse(tail).toByteArray()).toString('hex');
  return `${text.slice(0, -tail.length)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

/** The parser throws at malformed text, which costs a stack trace: the characters are checked first. */
function parseIPv6(text: string): ipaddr.IPv6 | undefined {
  if (!/^[0-9a-f:]+$/i.test(text) || !text.includes(':')) return undefined;
  try {
    return ipaddr.IPv6.parse(text);
  } catch {
    return undefined;
  }
}

/** The canonical form of an IP literal, `::ffff:` unwrapped; `undefined` for anything else. */
export function parseAddress(text: string): Address | undefined {
  if (IPV4.test(text)) return text as Address;
  const parsed = parseIPv6(expandIpv4Tail(text) ?? '');
  if (!parsed) return undefined;
  return (
    parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toRFC5952String()
  ) as Address;
}

/** What is said of a text that is none. */
export const ADDRESS_MESSAGE = 'must be an IPv4 or IPv6 address';

/** Sorts as text in the order of the addresses' numeric values, IPv4 before IPv6. */
export function addressSortKey(address: Address): string {
  const parsed = address.includes(':') ? ipaddr.IPv6.parse(address) : ipaddr.IPv4.parse(address);
  return parsed.kind().slice(-1) + Buffer.from(parsed.toByteArray()).toString('hex');
}

/** In the order of their keys. Each key is computed once: lists have up to ten thousand addresses. */
export const sortWithKeys = (
  addresses: Iterable<Address>,
): { readonly address: Address; readonly key: string }[] =>
  Array.from(addresses, address => ({ address, key: addressSortKey(address) })).sort((a, b) =>
    a.key < b.key ? -1 : a.key > b.key ? 1 : 0,
  );

/** By numeric value, IPv4 before IPv6. */
export const sortAddresses = (addresses: Iterable<Address>): Address[] =>
  sortWithKeys(addresses).map(({ address }) => address);

/** What counts as one caller. Whoever has an IPv6 address usually has the 2⁶⁴ around it as well. */
export function rateLimitKey(address: string): string {
  // Almost every call is from an IPv4 address, which stands for itself.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')
    : parsed.toString();
}

/** The address in a URL; `undefined` where it has a name, which is still to be looked up. */
export const parseUrlAddress = ({ hostname }: URL): Address | undefined =>
  parseAddress(hostname.replace(/^\[|\]$/g, ''));
