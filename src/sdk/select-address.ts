type Selection = { readonly address: string } | { readonly problem: string };

/** Selects the address of a host from those of its DNS name. Prefers IPv4: a name with both families is usually one host. */
export function selectAddress(addresses: readonly string[]): Selection {
  const ipv4 = addresses.filter(address => !address.includes(':'));
  const [first, ...others] = [...new Set(ipv4.length > 0 ? ipv4 : addresses)];
  if (first === undefined) return { problem: 'has no address' };
  if (others.length === 0) return { address: first };
  return { problem: `has several addresses (${[first, ...others].join(', ')}): use one of them` };
}
