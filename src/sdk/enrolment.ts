import type { Static } from 'typebox';
import type { Problem } from '../contract/fields.ts';
import type { BodyOf } from '../contract/route-definition.ts';
import type { BulkResult, Host, hostRoutes } from '../contract/routes/hosts.ts';
import type { Client, Sendable } from './client.ts';
import { ApiError } from './errors.ts';

export type EnrolBody = Sendable<Omit<BodyOf<(typeof hostRoutes)['putHost']>, 'address' | 'host'>>;

export interface EnrolledHost {
  readonly address: string;
  /** False if the host was already enrolled with the same key and settings. */
  readonly isNew: boolean;
  readonly host: Static<typeof Host>;
}

export interface RejectedHost {
  readonly address: string;
  readonly error: ApiError;
}

export type EnrolmentResult = EnrolledHost | RejectedHost;

/** A request of this size takes a few seconds at most, so that progress is visible. */
const BATCH_SIZE = 50;

function toEnrolmentResult({ address, status, host, problem }: Static<typeof BulkResult>): EnrolmentResult {
  if (host) return { address: host.address, isNew: status === 201, host };
  if (problem) return { address, error: new ApiError(status, problem) };
  throw new Error(`the server returned no result for host ${address}`);
}

/** The server or a proxy can limit the number of hosts or the size of the body. */
const isBatchTooLarge = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 413 || error.problem.code === 'too_many_hosts');

/** Returns `undefined` if the batch is too large. */
async function enrolBatch(
  client: Pick<Client, 'enrolHosts'>,
  hosts: readonly (EnrolBody & { readonly address: string })[],
): Promise<readonly EnrolmentResult[] | undefined> {
  try {
    const { body: results } = await client.enrolHosts({ body: { hosts } });
    return results.map(toEnrolmentResult);
  } catch (error) {
    if (!isBatchTooLarge(error) || hosts.length === 1) throw error;
    return undefined;
  }
}

/**
 * Enrols hosts with the same key and settings. Hosts that are already enrolled do not change. Yields the
 * results of each request and throws errors that concern all hosts. If a batch is too large, the following
 * batches are smaller. `signal` prevents further requests.
 */
export async function* enrolInBatches(
  client: Pick<Client, 'enrolHosts'>,
  addresses: readonly string[],
  body: EnrolBody,
  signal?: AbortSignal,
): AsyncGenerator<readonly EnrolmentResult[]> {
  let [start, batchSize] = [0, BATCH_SIZE];
  while (start < addresses.length && !signal?.aborted) {
    const hosts = addresses.slice(start, start + batchSize).map(address => ({ ...body, address }));
    const results = await enrolBatch(client, hosts);
    if (results === undefined) batchSize = Math.ceil(hosts.length / 2);
    else {
      start += hosts.length;
      yield results;
    }
  }
}

// Hosts that are already enrolled with other values. The command line and the dashboard have their own names for the fields.

/** Fields that can be replaced without enrolling the host again. */
const CREDENTIAL_FIELDS: readonly string[] = ['ssh_priv_key', 'remote_user'];

/** For example `ssh_port`. Empty for other errors, or if the server named no fields. */
export const conflictingFields = ({ code, errors = [] }: Pick<Problem, 'code' | 'errors'>): readonly string[] =>
  code === 'host_conflict' ? errors.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)) : [];

/** `already enrolled with a different --key and --port`, with the caller's names of the fields. */
export function formatConflict(names: readonly string[]): string {
  const list = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(text => text !== '').join(' and ');
  return `already enrolled with a different ${list}`;
}

export const isCredentialConflict = (fields: readonly string[]): boolean =>
  fields.some(field => CREDENTIAL_FIELDS.includes(field));
