import ipaddr from 'ipaddr.js';
import type { AppError } from '../errors.ts';
import { invalidBody } from '../errors.ts';
import type { Address } from './address.ts';
import { parseAddress } from './address.ts';

declare const cidrBrand: unique symbol;

/** A network in canonical form without host bits: `10.0.0.0/8` or `2001:db8::/32`. */
export type Cidr = string & { readonly [cidrBrand]: true };

const notCidr = invalidBody({
  path: '/cidr',
  message: 'must be an IPv4 or IPv6 network in CIDR notation, such as 10.0.0.0/8 or 2001:db8::/32',
});
const CIDR_PATTERN = /^([^/]+)\/(0|[1-9]\d{0,2})$/;
/** Number of bits before the IPv4 address in `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

const isIpv4 = (address: Address) => !address.includes(':');

/** Errors are for the field `cidr` of a request body. */
export function parseCidr(text: string): Cidr | AppError {
  const [, base = '', digits = ''] = CIDR_PATTERN.exec(text) ?? [];
  const address = parseAddress(base);
  if (address === undefined) return notCidr;
  const prefix = Number(digits) - (isIpv4(address) && base.includes(':') ? MAPPED_BITS : 0);
  if (prefix < 0 || prefix > (isIpv4(address) ? 32 : 128)) return notCidr;
  const cidr = `${address}/${prefix}`;
  const networkAddress = isIpv4(address)
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(cidr).toRFC5952String();
  if (networkAddress === address) return cidr as Cidr;
  return invalidBody({ path: '/cidr', message: `has host bits set; the network is ${networkAddress}/${prefix}` });
}

export function isInCidr(address: Address, cidr: Cidr): boolean {
  const [parsed, network] = [ipaddr.parse(address), ipaddr.parseCIDR(cidr)];
  return parsed.kind() === network[0].kind() && parsed.match(network);
}
