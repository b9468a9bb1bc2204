import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../unit-of-work.ts';
import { enrolHost } from './enrol-host.ts';
import type { EnrolmentRequest } from './validate-enrolment.ts';

/** Leaves most connections to PostgreSQL to others; on SQLite one waits for the other anyway. */
const CONCURRENCY = 4;

export interface BulkEnrolItem {
  /** `undefined`: it has none that can be read. */
  readonly address: Address | undefined;
  /** A Refusal where it is not of the right form. */
  readonly request: EnrolmentRequest | AppError;
}

/** Two of one address could contradict each other, and it would be chance which of them counts. */
function checkDuplicateAddresses(hosts: readonly BulkEnrolItem[]): AppError | undefined {
  const firstIndexes = new Map<Address, number>();
  const errors = [];
  for (const [index, { address }] of hosts.entries()) {
    if (address === undefined) continue;
    const first = firstIndexes.get(address);
    if (first === undefined) firstIndexes.set(address, index);
    else
      errors.push({
        path: `/hosts/${index}/address`,
        message: `repeats the address ${address} of /hosts/${first}`,
      });
  }
  return errors.length > 0 ? invalidBody(...errors) : undefined;
}

/** Many hosts often have one key, and to look into it is a sixth of what a host costs. */
function memoizeKeyValidation(validate: Ports['validatePrivateKey']): Ports['validatePrivateKey'] {
  const cache = new Map<string, string | undefined>();
  return base64 => {
    if (!cache.has(base64)) cache.set(base64, validate(base64));
    return cache.get(base64);
  };
}

/** A generator, since that ends for all who take from it when one of them fails. */
function* sharedEntries<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}

/**
 * Enrols each host by itself, and answers what became of each, in their order. An exception, such as that the store is away, ends it
 * for those that have not begun: the same can be sent again, and finds the others known.
 */
export async function bulkEnrolHosts(
  ports: Ports,
  actor: Actor,
  hosts: readonly BulkEnrolItem[],
): Promise<readonly (PutResult<Host> | AppError)[] | AppError> {
  const { maxBulkHosts } = ports.limits;
  if (hosts.length > maxBulkHosts) {
    return new AppError(
      'too_many_hosts',
      `a request can enrol at most ${maxBulkHosts} hosts (limit_bulk_hosts), but it contains ${hosts.length}; split it`,
    );
  }
  const error = checkDuplicateAddresses(hosts);
  if (error) return error;
  const cachingPorts = { ...ports, validatePrivateKey: memoizeKeyValidation(ports.validatePrivateKey) };
  const results = new Map<number, PutResult<Host> | AppError>();
  const queue = sharedEntries(hosts);
  const runWorker = async () => {
    for (const [index, { request }] of queue) {
      results.set(
        index,
        request instanceof AppError ? request : await enrolHost(cachingPorts, actor, request),
      );
      // SQLite answers at once: without this nobody else would get a turn until all are enrolled.
      await nextTurn();
    }
  };
  // Nothing goes on behind the answer.
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runWorker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return hosts.flatMap((_, index) => results.get(index) ?? []);
}
