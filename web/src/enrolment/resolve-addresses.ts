import type { Client } from '#sdk/client.ts';
import { isSingleHostError } from '#sdk/errors.ts';
import { selectAddress } from '#sdk/select-address.ts';
import { InvalidFieldsError } from '../ui/forms/field-errors.ts';

interface ResolvedHost {
  /** As the user entered it. */
  readonly text: string;
  readonly address: string;
}

/** The server checks the format of an address. */
const isAddress = (text: string): boolean => text.includes(':') || /^[\d.]+$/.test(text);

async function resolveName(client: Pick<Client, 'resolveName'>, name: string) {
  try {
    return selectAddress((await client.resolveName({ query: { name } })).body.addresses);
  } catch (error) {
    if (isSingleHostError(error)) return { problem: 'has no address that this server can find' };
    throw error;
  }
}

/** Returns the addresses of hosts that a user named by address or DNS name. Reports all names without one at once. */
export async function resolveAddresses(
  client: Pick<Client, 'resolveName'>,
  texts: readonly string[],
): Promise<readonly ResolvedHost[]> {
  const resolved: ResolvedHost[] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const result = isAddress(text) ? { address: text } : await resolveName(client, text);
    if ('address' in result) resolved.push({ text, address: result.address });
    else problems.push(`${text} ${result.problem}`);
  }
  if (problems.length > 0) throw new InvalidFieldsError({ addresses: `${problems.join('. ')}.` });
  return resolved;
}
