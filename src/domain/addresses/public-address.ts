import ipaddr from 'ipaddr.js';
import { parseAddress } from './address.ts';

type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** The well-known prefix of RFC 6052. `64:ff9b:1::/48` is for private use. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** A public range, but Azure serves the metadata of each machine there. */
const AZURE_METADATA = '168.63.129.16';

/** Other ranges with an IPv4 address in the last four bytes: IPv4-translated, IPv4-compatible, local-use NAT64. */
const IPV4_EMBEDDING_RANGES = ['::ffff:0:0:0/96', '::/96', '64:ff9b:1::/48'].map(cidr => ipaddr.IPv6.parseCIDR(cidr));

/** Where clouds serve credentials to their machines, besides 169.254.169.254. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '192.0.0.192',
  AZURE_METADATA,
]);

const ipv4At = (address: ipaddr.IPv6, at: number) => new ipaddr.IPv4(address.toByteArray().slice(at, at + 4));

/** The IPv4 destination of a mapped, 6to4 or NAT64 address. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.range() === '6to4') return ipv4At(address, 2);
  return address.match(NAT64) ? ipv4At(address, 12) : undefined;
}

function isPublic(address: ParsedAddress): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && address.toString() !== AZURE_METADATA;
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

/** Also IPv6 forms of such an IPv4 address. */
export function isLinkLocalOrMetadata(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isLinkLocal(ipaddr.parse(address));
}

export function isPublicAddress(text: string): boolean {
  // ipaddr reads `::8.8.8.8` as `::ffff:8.8.8.8`; the canonical form is unambiguous.
  const address = parseAddress(text);
  return address !== undefined && isPublic(ipaddr.parse(address));
}
