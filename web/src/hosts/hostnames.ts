/** Hostname by address. A host without an entry is shown by its address. */
export type Hostnames = ReadonlyMap<string, string>;

export const NO_HOSTNAMES: Hostnames = new Map();

export const toHostnames = (
  hosts: readonly { readonly address: string; readonly hostname?: string | undefined }[],
): Hostnames => new Map(hosts.flatMap(({ address, hostname = '' }) => (hostname === '' ? [] : [[address, hostname]])));

export const hasSameHostnames = (a: Hostnames, b: Hostnames): boolean =>
  a.size === b.size && [...a].every(([address, hostname]) => b.get(address) === hostname);
