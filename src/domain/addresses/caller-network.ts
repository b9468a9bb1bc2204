import ipaddr from 'ipaddr.js';

/** What counts as one caller. Whoever has an IPv6 address usually has the 2⁶⁴ around it as well. */
export function callerNetwork(address: string): string {
  // Almost every call is from an IPv4 address, which stands for itself.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')
    : parsed.toString();
}
