import type { Hostnames } from '#sdk/hostnames.ts';

export const NO_HOSTNAMES: Hostnames = new Map();

export const hasSameHostnames = (a: Hostnames, b: Hostnames): boolean =>
  a.size === b.size && [...a].every(([address, hostname]) => b.get(address) === hostname);
