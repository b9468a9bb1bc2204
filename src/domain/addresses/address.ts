import ipaddr from 'ipaddr.js';

declare const address: unique symbol;

/** An IPv4 literal, or an IPv6 literal in the canonical form of RFC 5952. No names, no zones. */
export type Address = string & { readonly [address]: true };

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Replaces a dotted IPv4 tail of an IPv6 literal by two hexadecimal groups. */
function expandIpv4Tail(text: string): string | undefined {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (!tail.includes('.')) return text;
  if (!IPV4.test(tail)) return undefined;
  const hex = Buffer.from(ipaddr.IPv4.parse(tail).toByteArray()).toString('hex');
  return `${text.slice(0, -tail.length)}${hex.slice(0, 4)}:${hex.slice(4)}`;
}

/** ipaddr throws on malformed text, which costs a stack trace, so the characters are checked first. */
function parseIPv6(text: string): ipaddr.IPv6 | undefined {
  if (!/^[0-9a-f:]+$/i.test(text) || !text.includes(':')) return undefined;
  try {
    return ipaddr.IPv6.parse(text);
  } catch {
    return undefined;
  }
}

/** `::ffff:` addresses become IPv4 addresses. */
export function parseAddress(text: string): Address | undefined {
  if (IPV4.test(text)) return text as Address;
  const parsed = parseIPv6(expandIpv4Tail(text) ?? '');
  if (!parsed) return undefined;
  return (parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toRFC5952String()) as Address;
}

export const ADDRESS_MESSAGE = 'must be an IPv4 or IPv6 address';

/** Sorts as text in the numeric order of the addresses, IPv4 before IPv6. */
export function addressSortKey(address: Address): string {
  const parsed = address.includes(':') ? ipaddr.IPv6.parse(address) : ipaddr.IPv4.parse(address);
  return parsed.kind().slice(-1) + Buffer.from(parsed.toByteArray()).toString('hex');
}

/** Computes each key once: lists have up to 10,000 addresses. */
export const sortWithKeys = (addresses: Iterable<Address>): { readonly address: Address; readonly key: string }[] =>
  Array.from(addresses, address => ({ address, key: addressSortKey(address) })).sort((a, b) =>
    a.key < b.key ? -1 : a.key > b.key ? 1 : 0,
  );

export const sortAddresses = (addresses: Iterable<Address>): Address[] =>
  sortWithKeys(addresses).map(({ address }) => address);

/** IPv6 addresses are grouped by /64, because a client usually controls a whole /64. */
export function rateLimitKey(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' ? Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex') : parsed.toString();
}

/** `undefined` if the URL has a host name. */
export const parseUrlAddress = ({ hostname }: URL): Address | undefined =>
  parseAddress(hostname.replace(/^\[|\]$/g, ''));
