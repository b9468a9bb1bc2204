import { RequestRefused } from '../client/client.ts';
import { plural } from '../lib/plural.ts';
import { CliProblem, EXIT } from './exit-codes.ts';
import { explain } from './explain.ts';
import type { Session } from './session.ts';

interface Done {
  readonly sentence: string;
  /** As the service answered. */
  readonly value: unknown;
}

/** What concerns whoever asks, or the service, is the same for all that would follow. */
export const isOfOneHost = (error: unknown): error is RequestRefused =>
  error instanceof RequestRefused && [400, 404, 409].includes(error.status);

/** Does the same to several hosts, one after the other. What is refused for one keeps no other from it. */
export async function eachHost(
  { print, terminal }: Session,
  addresses: readonly string[],
  work: (address: string) => Promise<Done>,
): Promise<void> {
  const [only] = addresses;
  if (only !== undefined && addresses.length === 1) {
    const { sentence, value } = await work(only);
    return print.done(sentence, { value, name: only });
  }
  const done: { readonly address: string; readonly value: unknown }[] = [];
  for (const address of addresses) {
    try {
      const { sentence, value } = await work(address);
      done.push({ address, value });
      if (print.isForPeople) await print.done(sentence, { value, name: address });
    } catch (error) {
      if (!isOfOneHost(error)) throw error;
      terminal.tell(`hostler: ${address}: ${explain(error).lines.join('\n')}\n`);
    }
  }
  if (!print.isForPeople) await print.each(done.map(({ address, value }) => ({ name: address, value })));
  const refused = addresses.length - done.length;
  if (refused > 0)
    throw new CliProblem(
      EXIT.refused,
      `it was refused for ${refused} of ${plural(addresses.length, 'host')}`,
    );
}
