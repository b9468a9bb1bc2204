/** The addresses of a name, like ssh: with `/etc/hosts`. Most commands never load the module. */
export async function lookupName(name: string): Promise<readonly string[]> {
  const dns = await import('node:dns/promises');
  const found = await dns.lookup(name, { all: true });
  return found.map(({ address }) => address);
}
