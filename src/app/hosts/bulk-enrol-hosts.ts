import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { MAX_BULK_HOSTS } from '../../domain/defaults.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../unit-of-work.ts';
import type { EnrolmentRequest } from './enrol-host.ts';
import { enrolHost } from './enrol-host.ts';

/** Leaves most PostgreSQL connections to other requests. SQLite serializes the writes anyway. */
const CONCURRENCY = 4;

export interface BulkEnrolItem {
  readonly address: Address | undefined;
  readonly request: EnrolmentRequest | AppError;
}

/** Two entries could contradict each other, and the order of enrolment is undefined. */
function checkDuplicateAddresses(hosts: readonly BulkEnrolItem[]): AppError | undefined {
  const firstIndexes = new Map<Address, number>();
  const errors = [];
  for (const [index, { address }] of hosts.entries()) {
    if (address === undefined) continue;
    const first = firstIndexes.get(address);
    if (first === undefined) firstIndexes.set(address, index);
    else errors.push({ path: `/hosts/${index}/address`, message: `repeats the address ${address} of /hosts/${first}` });
  }
  return errors.length > 0 ? invalidBody(...errors) : undefined;
}

/** Many hosts share one key, and its validation is a sixth of the cost of a host. */
function memoizeKeyValidation(validate: Ports['validatePrivateKey']): Ports['validatePrivateKey'] {
  const cache = new Map<string, string | undefined>();
  return base64 => {
    if (!cache.has(base64)) cache.set(base64, validate(base64));
    return cache.get(base64);
  };
}

/** A generator, because it ends for all workers when one of them throws. */
function* sharedEntries<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}

/**
 * One transaction per host, results in the order of the request. An exception, such as a store outage, stops the
 * remaining hosts. The client can repeat the request: hosts that are already enrolled are accepted.
 */
export async function bulkEnrolHosts(
  ports: Ports,
  actor: Actor,
  hosts: readonly BulkEnrolItem[],
): Promise<readonly (PutResult<Host> | AppError)[] | AppError> {
  if (hosts.length > MAX_BULK_HOSTS) {
    return new AppError(
      'too_many_hosts',
      `a request can enrol at most ${MAX_BULK_HOSTS} hosts, but it contains ${hosts.length}; split it`,
    );
  }
  const error = checkDuplicateAddresses(hosts);
  if (error) return error;
  const cachingPorts = { ...ports, validatePrivateKey: memoizeKeyValidation(ports.validatePrivateKey) };
  const results = new Map<number, PutResult<Host> | AppError>();
  const queue = sharedEntries(hosts);
  const runWorker = async () => {
    for (const [index, { request }] of queue) {
      results.set(index, request instanceof AppError ? request : await enrolHost(cachingPorts, actor, request));
      // SQLite responds synchronously, so other requests would wait until all hosts are enrolled.
      await yieldToEventLoop();
    }
  };
  // Waits for all workers, so no enrolment continues after the response.
  const outcomes = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runWorker));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return hosts.flatMap((_, index) => results.get(index) ?? []);
}
