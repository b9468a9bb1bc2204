import type { Client } from '#sdk/client.ts';
import type { Hostnames } from '#sdk/hostnames.ts';
import { InvalidFieldsError } from '../ui/forms/field-errors.ts';
import { isAddress } from './addresses.ts';

const MAX_CANDIDATES = 5;

/**
 * Returns the address of a host that the user named in the field `host`. An address is not looked up: events name hosts
 * that were removed.
 */
export async function findHostAddress(client: Pick<Client, 'listHosts'>, text: string): Promise<string> {
  if (text === '' || isAddress(text)) return text;
  const { body: found } = await client.listHosts({ query: { hostname: text, limit: MAX_CANDIDATES + 1 } });
  const [first, ...others] = found;
  if (first === undefined) throw new InvalidFieldsError({ host: `No host has the hostname ${text}.` });
  if (others.length === 0) return first.address;
  const candidates = found.slice(0, MAX_CANDIDATES).map(({ address }) => address);
  const more = found.length > MAX_CANDIDATES ? ' and others' : '';
  throw new InvalidFieldsError({
    host: `Several hosts have the hostname ${text}: ${candidates.join(', ')}${more}. Enter one of the addresses.`,
  });
}

/** The hostname, or the address if no hostname is known or another host has the same. */
export function hostFilterText(address: string, hostnames: Hostnames): string {
  const hostname = hostnames.get(address);
  if (hostname === undefined) return address;
  const isShared = [...hostnames].some(([other, name]) => name === hostname && other !== address);
  return isShared ? address : hostname;
}
