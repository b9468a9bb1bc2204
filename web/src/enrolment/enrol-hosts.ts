import type { Client } from '#sdk/client.ts';
import type { EnrolBody } from '#sdk/enrolment.ts';
import { enrolInBatches } from '#sdk/enrolment.ts';
import type { BulkOptions, BulkProgress, HostRejection } from '../hosts/run-bulk.ts';

/** An error that concerns all hosts stops the run. An abort starts no further batch. */
export async function enrolHosts(
  client: Pick<Client, 'enrolHosts'>,
  addresses: readonly string[],
  body: EnrolBody,
  { signal, onProgress }: BulkOptions,
): Promise<BulkProgress> {
  const rejected: HostRejection[] = [];
  let done = 0;
  let failure: { readonly error: unknown } | undefined;
  const toProgress = (isFinished: boolean): BulkProgress => ({
    total: addresses.length,
    done,
    rejected: [...rejected],
    isFinished,
    notAttempted: addresses.slice(done + rejected.length),
    ...failure,
  });

  onProgress(toProgress(false));
  try {
    for await (const results of enrolInBatches(client, addresses, body, signal)) {
      for (const result of results) {
        if ('error' in result) rejected.push({ address: result.address, error: result.error });
        else done += 1;
      }
      onProgress(toProgress(false));
    }
  } catch (error) {
    failure = { error };
  }
  const last = toProgress(true);
  onProgress(last);
  return last;
}
