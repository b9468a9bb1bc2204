// Users name a host by its address or by its hostname. The API knows hosts by their address.

import { sanitizeLine } from '../lib/sanitize.ts';
import type { Client } from '../sdk/client.ts';
import { notFoundError, usageError } from './errors.ts';
import { normalizeAddress } from './input/host-arguments.ts';
import type { PolicyFlags } from './policy/policy-options.ts';

/** A host that the user named. */
export interface NamedHost {
  readonly address: string;
  /** For messages: `web-1 (192.0.2.7)`, or only the address if the user gave the address. */
  readonly displayName: string;
}

type HostClient = Pick<Client, 'listHosts'>;

const MAX_CANDIDATES = 5;

async function findByHostname(client: HostClient, hostname: string): Promise<NamedHost> {
  const { body: found } = await client.listHosts({ query: { hostname, extended: true, limit: MAX_CANDIDATES + 1 } });
  const [first, ...others] = found;
  if (first === undefined)
    throw notFoundError(`no host has the address or hostname ${hostname}. See: hostler host list`);
  if (others.length > 0) {
    const candidates = found
      .slice(0, MAX_CANDIDATES)
      .map(({ address, cluster }) => (cluster ? `${address} (cluster ${sanitizeLine(cluster)})` : address));
    const more = found.length > MAX_CANDIDATES ? ' and others' : '';
    throw usageError(
      `several hosts have the hostname ${hostname}: ${candidates.join(', ')}${more}. Use the address of one of them`,
    );
  }
  return { address: first.address, displayName: `${hostname} (${first.address})` };
}

export const resolveHost = async (client: HostClient, name: string): Promise<NamedHost> =>
  normalizeAddress(name) === name ? { address: name, displayName: name } : findByHostname(client, name);

/** Resolves all names before the first change, and drops hosts that are named twice. */
export async function resolveHosts(client: HostClient, names: readonly string[]): Promise<readonly NamedHost[]> {
  const hosts = new Map<string, NamedHost>();
  for (const name of names) {
    const host = await resolveHost(client, name);
    if (!hosts.has(host.address)) hosts.set(host.address, host);
  }
  return [...hosts.values()];
}

export const resolveAddresses = async (client: HostClient, names: readonly string[]): Promise<readonly string[]> =>
  (await resolveHosts(client, names)).map(({ address }) => address);

/** Replaces hostnames in policy flags. A policy file contains addresses, as the API does. */
export async function resolvePolicyHosts<Flags extends PolicyFlags>(client: HostClient, flags: Flags): Promise<Flags> {
  const { hosts, order } = flags;
  return {
    ...flags,
    ...(hosts && { hosts: await resolveAddresses(client, hosts) }),
    ...(order && { order: await resolveAddresses(client, order) }),
  };
}

/** For an optional filter. */
export const resolveFilterHost = async (client: HostClient, name: string | undefined): Promise<string | undefined> =>
  name === undefined ? undefined : (await resolveHost(client, name)).address;
