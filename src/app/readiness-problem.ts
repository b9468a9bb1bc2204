import { Refusal } from '../domain/errors.ts';
import type { Ports } from './ports.ts';

const notCurrent = new Refusal(
  'store_unavailable',
  'the schema of the store is older than this version, most likely since a backup was restored; restart the service, which brings it up to date',
  { retryAfterS: 5 },
);

const noAccount = new Refusal(
  'server_busy',
  'the service is about to make its first account; ask again in a moment',
  { retryAfterS: 1 },
);

/** Why the service cannot serve at this moment; `undefined` when it can. */
export async function readinessProblem({ store }: Pick<Ports, 'store'>): Promise<Refusal | undefined> {
  if (!(await store.hasCurrentSchema())) return notCurrent;
  return (await store.reads.accounts.isEmpty()) ? noAccount : undefined;
}
