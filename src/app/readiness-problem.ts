import { Refusal } from '../domain/errors.ts';
import type { Ports } from './ports.ts';

const notCurrent = new Refusal(
  'store_unavailable',
  'the schema of the store is older than this version, most likely since a backup was restored; restart the service, which brings it up to date',
  { retryAfterS: 5 },
);

/** Why the service cannot serve at this moment; `undefined` when it can. */
export const readinessProblem = async ({ store }: Pick<Ports, 'store'>): Promise<Refusal | undefined> =>
  (await store.hasCurrentSchema()) ? undefined : notCurrent;
