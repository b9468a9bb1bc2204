import ipaddr from 'ipaddr.js';
import type { Address } from './address.ts';
import { parseAddress } from './address.ts';

declare const networkRange: unique symbol;

/** A network in canonical form, `10.0.0.0/8` or `2001:db8::/32`: its address has no bits beyond the prefix. */
export type NetworkRange = string & { readonly [networkRange]: true };

const RULE = 'must be an IPv4 or IPv6 network in CIDR notation, such as 10.0.0.0/8 or 2001:db8::/32';
const CIDR = /^([^/]+)\/(0|[1-9]\d{0,2})$/;
/** The bits before the IPv4 part of `::ffff:`. */
const MAPPED_BITS = 96;

const isIpv4 = (address: Address) => !address.includes(':');

/** The canonical form of a network; else what is wrong with the text. */
export function parseNetworkRange(text: string): NetworkRange | { readonly problem: string } {
  const [, base = '', digits = ''] = CIDR.exec(text) ?? [];
  const address = parseAddress(base);
  if (address === undefined) return { problem: RULE };
  const prefix = Number(digits) - (isIpv4(address) && base.includes(':') ? MAPPED_BITS : 0);
  if (prefix < 0 || prefix > (isIpv4(address) ? 32 : 128)) return { problem: RULE };
  const given = `${address}/${prefix}`;
  const first = isIpv4(address)
    ? ipaddr.IPv4.networkAddressFromCIDR(given).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(given).toRFC5952String();
  if (first === address) return given as NetworkRange;
  return { problem: `has host bits set; the network is ${first}/${prefix}` };
}

export function isInRange(address: Address, range: NetworkRange): boolean {
  const [parsed, network] = [ipaddr.parse(address), ipaddr.parseCIDR(range)];
  return parsed.kind() === network[0].kind() && parsed.match(network);
}
