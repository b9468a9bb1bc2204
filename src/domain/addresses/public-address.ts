import ipaddr from 'ipaddr.js';
import { parseAddress } from './address.ts';

type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** All that is given out for the whole internet (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** What translators of the whole internet use (RFC 6052); its sibling `64:ff9b:1::/48` is for networks of one's own. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** In a public range, but Azure serves each machine its own metadata there. */
const AZURE_METADATA = '168.63.129.16';

/** Other forms of IPv6 whose last four bytes are an IPv4 address: IPv4-translated, IPv4-compatible, and NAT64 of a network of one's own. */
const IPV4_EMBEDDING_RANGES = ['::ffff:0:0:0/96', '::/96', '64:ff9b:1::/48'].map(cidr =>
  ipaddr.IPv6.parseCIDR(cidr),
);

/** Where clouds serve credentials to their machines, beside 169.254.169.254. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
  AZURE_METADATA,
]);

const ipv4At = (address: ipaddr.IPv6, at: number) => new ipaddr.IPv4(address.toByteArray().slice(at, at + 4));

/** The IPv4 address that an IPv6 one leads to. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.range() === '6to4') return ipv4At(address, 2);
  return address.match(NAT64) ? ipv4At(address, 12) : undefined;
}

function isPublic(address: ParsedAddress): boolean {
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && address.toString() !== AZURE_METADATA;
  const inner = embeddedIpv4(address);
  if (inner !== undefined) return isPublic(inner);
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

function isLinkLocal(address: ParsedAddress): boolean {
  if (METADATA_ADDRESSES.has(address.toString()) || address.range() === 'linkLocal') return true;
  if (address instanceof ipaddr.IPv4) return false;
  const inner =
    embeddedIpv4(address) ??
    (IPV4_EMBEDDING_RANGES.some(range => address.match(range)) ? ipv4At(address, 12) : undefined);
  return inner !== undefined && isLinkLocal(inner);
}

/** Whether an address is valid on one link only (169.254.0.0/16, fe80::/10), serves the metadata of a cloud, or is an IPv6 form of such an IPv4 address. */
export function isLinkLocalOrMetadata(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isLinkLocal(ipaddr.parse(address));
}

/** Whether an address is one of the whole internet: neither of this machine, nor of a network of one's own, nor kept for anything else. */
export function isPublicAddress(text: string): boolean {
  // The library takes `::8.8.8.8` for `::ffff:8.8.8.8`; in the canonical form there is no such doubt.
  const address = parseAddress(text);
  return address !== undefined && isPublic(ipaddr.parse(address));
}
