import type { Client } from '#client/client.ts';
import type { EnrolBody } from '#client/enrol-in-parts.ts';
import { enrolInParts } from '#client/enrol-in-parts.ts';
import type { Following, Progress, Refused } from '../../fleet/run-each.ts';

/** Counts what becomes of hosts that are enrolled. What concerns all ends it; stopping begins no more. */
export async function enrolHosts(
  client: Pick<Client, 'enrolHosts'>,
  addresses: readonly string[],
  body: EnrolBody,
  { signal, onProgress }: Following,
): Promise<Progress> {
  const refused: Refused[] = [];
  let done = 0;
  const progress = (isOver: boolean, failure?: { readonly problem: unknown }): Progress => ({
    ...{ total: addresses.length, done, refused: [...refused], isOver },
    left: addresses.slice(done + refused.length),
    ...failure,
  });
  const end = (failure?: { readonly problem: unknown }) => {
    const last = progress(true, failure);
    onProgress(last);
    return last;
  };

  onProgress(progress(false));
  try {
    for await (const results of enrolInParts(client, addresses, body, signal)) {
      for (const result of results) {
        if ('refusal' in result) refused.push({ address: result.address, problem: result.refusal });
        else done += 1;
      }
      onProgress(progress(false));
    }
  } catch (problem) {
    return end({ problem });
  }
  return end();
}
