import type { Client } from '#sdk/client.ts';
import { ApiError, isSingleHostError } from '#sdk/errors.ts';
import { selectAddress } from '#sdk/select-address.ts';
import { isAddress } from '../hosts/addresses.ts';
import { InvalidFieldsError } from '../ui/forms/field-errors.ts';

interface ResolvedHost {
  /** As the user entered it. */
  readonly text: string;
  readonly address: string;
}

interface ResolveOptions {
  readonly signal: AbortSignal;
  /** The server limits the names per minute. A name that it rejects is tried again after this time. */
  readonly retryMs?: number;
}

const delay = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function resolveName(
  client: Pick<Client, 'resolveName'>,
  name: string,
  { signal, retryMs = 2000 }: ResolveOptions,
) {
  for (;;) {
    signal.throwIfAborted();
    try {
      return selectAddress((await client.resolveName({ query: { name }, signal })).body.addresses);
    } catch (error) {
      if (error instanceof ApiError && error.problem.code === 'too_many_requests') await delay(retryMs);
      else if (error instanceof ApiError && error.status === 400)
        return { problem: 'is neither an address nor a DNS name' };
      else if (isSingleHostError(error)) return { problem: 'has no address that this server can find' };
      else throw error;
    }
  }
}

/** Returns the addresses of hosts that a user named by address or DNS name. Reports all names without one at once. */
export async function resolveAddresses(
  client: Pick<Client, 'resolveName'>,
  texts: readonly string[],
  options: ResolveOptions,
): Promise<readonly ResolvedHost[]> {
  const resolved: ResolvedHost[] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const result = isAddress(text) ? { address: text } : await resolveName(client, text, options);
    if ('address' in result) resolved.push({ text, address: result.address });
    else problems.push(`${text} ${result.problem}`);
  }
  if (problems.length > 0) throw new InvalidFieldsError({ addresses: `${problems.join('. ')}.` });
  return resolved;
}
