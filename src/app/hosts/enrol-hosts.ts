import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { enrolHost } from './enrol-host.ts';
import type { EnrolmentRequest } from './enrolment-request.ts';

/** Leaves most connections to PostgreSQL to others; on SQLite one waits for the other anyway. */
const AT_ONCE = 4;

export interface HostToEnrol {
  /** `undefined`: it has none that can be read. */
  readonly address: Address | undefined;
  /** A Refusal where it is not of the right form. */
  readonly request: EnrolmentRequest | AppError;
}

/** Two of one address could contradict each other, and it would be chance which of them counts. */
function repeatRefusal(hosts: readonly HostToEnrol[]): AppError | undefined {
  const firstAt = new Map<Address, number>();
  const errors = [];
  for (const [index, { address }] of hosts.entries()) {
    if (address === undefined) continue;
    const first = firstAt.get(address);
    if (first === undefined) firstAt.set(address, index);
    else
      errors.push({
        path: `/hosts/${index}/address`,
        message: `repeats the address ${address} of /hosts/${first}`,
      });
  }
  return errors.length > 0 ? invalidBody(...errors) : undefined;
}

/** Many hosts often have one key, and to look into it is a sixth of what a host costs. */
function lookingOnce(problemOf: Ports['privateKeyProblem']): Ports['privateKeyProblem'] {
  const known = new Map<string, string | undefined>();
  return base64 => {
    if (!known.has(base64)) known.set(base64, problemOf(base64));
    return known.get(base64);
  };
}

/** A generator, since that ends for all who take from it when one of them fails. */
function* inTurn<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}

/**
 * Enrols each host by itself, and answers what became of each, in their order. An exception, such as that the store is away, ends it
 * for those that have not begun: the same can be sent again, and finds the others known.
 */
export async function enrolHosts(
  ports: Ports,
  actor: Actor,
  hosts: readonly HostToEnrol[],
): Promise<readonly (PutResult<Host> | AppError)[] | AppError> {
  const { hostsAtOnce } = ports.limits;
  if (hosts.length > hostsAtOnce) {
    return new AppError(
      'too_many_hosts',
      `a request can enrol at most ${hostsAtOnce} hosts (limit_bulk_hosts), but it contains ${hosts.length}; split it`,
    );
  }
  const refusal = repeatRefusal(hosts);
  if (refusal) return refusal;
  const looking = { ...ports, privateKeyProblem: lookingOnce(ports.privateKeyProblem) };
  const results = new Map<number, PutResult<Host> | AppError>();
  const waiting = inTurn(hosts);
  const enrolSome = async () => {
    for (const [index, { request }] of waiting) {
      results.set(index, request instanceof AppError ? request : await enrolHost(looking, actor, request));
      // SQLite answers at once: without this nobody else would get a turn until all are enrolled.
      await nextTurn();
    }
  };
  // Nothing goes on behind the answer.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, enrolSome));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return hosts.flatMap((_, index) => results.get(index) ?? []);
}
