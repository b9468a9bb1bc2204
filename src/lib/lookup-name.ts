import dns from 'node:dns/promises';

/** The addresses of a name, like ssh: with `/etc/hosts`. */
export async function lookupName(name: string): Promise<readonly string[]> {
  const found = await dns.lookup(name, { all: true });
  return found.map(({ address }) => address);
}
