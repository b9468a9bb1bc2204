import type { Static } from 'typebox';
import type { BodyOf } from '../contract/route.ts';
import type { BulkResult } from '../contract/routes/bulk-enrolment.ts';
import type { Host, hostRoutes } from '../contract/routes/hosts.ts';
import type { Client } from './client.ts';
import { RequestRefused } from './client.ts';

export type EnrolBody = Omit<BodyOf<(typeof hostRoutes)['putHost']>, 'address' | 'host'>;

export interface Enrolled {
  readonly address: string;
  /** If not, it was there already, with the same key and settings. */
  readonly isNew: boolean;
  readonly host: Static<typeof Host>;
}

export interface Refused {
  readonly address: string;
  readonly refusal: RequestRefused;
}

/** In one request: some seconds at most, so that it is seen how it goes on. */
const AT_ONCE = 50;

function resultOf({ address, status, host, problem }: Static<typeof BulkResult>): Enrolled | Refused {
  if (host) return { address: host.address, isNew: status === 201, host };
  if (problem) return { address, refusal: new RequestRefused(status, problem) };
  throw new Error(`the server returned no result for host ${address}`);
}

/** The service may take fewer at once, by number or by size. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof RequestRefused && (error.status === 413 || error.problem.code === 'too_many_hosts');

/** `undefined`: they are too many for one request. */
async function enrolSome(
  client: Pick<Client, 'enrolHosts'>,
  hosts: readonly (EnrolBody & { readonly address: string })[],
): Promise<readonly (Enrolled | Refused)[] | undefined> {
  try {
    const { body: results } = await client.enrolHosts({ body: { hosts: [...hosts] } });
    return results.map(resultOf);
  } catch (error) {
    if (!isTooMuch(error) || hosts.length === 1) throw error;
    return undefined;
  }
}

/**
 * Enrols hosts with the same key and settings; those that are there already stay as they are. Yields what became of the hosts of each
 * request; what concerns all is thrown. Where a request was too large, all that follow are smaller. `signal`: no more is begun.
 */
export async function* enrolInParts(
  client: Pick<Client, 'enrolHosts'>,
  addresses: readonly string[],
  body: EnrolBody,
  signal?: AbortSignal,
): AsyncGenerator<readonly (Enrolled | Refused)[]> {
  let [next, most] = [0, AT_ONCE];
  while (next < addresses.length && !signal?.aborted) {
    const hosts = addresses.slice(next, next + most).map(address => ({ ...body, address }));
    const results = await enrolSome(client, hosts);
    if (results === undefined) most = Math.ceil(hosts.length / 2);
    else {
      next += hosts.length;
      yield results;
    }
  }
}
