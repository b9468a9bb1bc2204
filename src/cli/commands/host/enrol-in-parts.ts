import type { Static } from 'typebox';
import type { Client } from '../../../client/client.ts';
import { RequestRefused } from '../../../client/client.ts';
import type { BodyOf } from '../../../contract/route.ts';
import type { BulkResult } from '../../../contract/routes/bulk-enrolment.ts';
import type { Host, hostRoutes } from '../../../contract/routes/hosts.ts';

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
  throw new Error(`the service tells nothing of ${address}`);
}

/** The service may take fewer at once, by number or by size. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof RequestRefused && (error.status === 413 || error.problem.code === 'too_many_hosts');

async function enrolSome(
  client: Client,
  addresses: readonly string[],
  body: EnrolBody,
): Promise<readonly (Enrolled | Refused)[]> {
  try {
    const hosts = addresses.map(address => ({ ...body, address }));
    const { body: results } = await client.enrolHosts({ body: { hosts } });
    return results.map(resultOf);
  } catch (error) {
    if (!isTooMuch(error) || addresses.length === 1) throw error;
    const half = Math.ceil(addresses.length / 2);
    const first = await enrolSome(client, addresses.slice(0, half), body);
    return [...first, ...(await enrolSome(client, addresses.slice(half), body))];
  }
}

/**
 * Enrols hosts with the same key and settings; those that are there already stay as they are. Each is told as soon as it is known what
 * became of it; what concerns all is thrown.
 */
export async function enrolInParts(
  client: Client,
  addresses: readonly string[],
  body: EnrolBody,
  told: (result: Enrolled | Refused) => Promise<void>,
): Promise<readonly (Enrolled | Refused)[]> {
  const results: (Enrolled | Refused)[] = [];
  for (let done = 0; done < addresses.length; done += AT_ONCE) {
    const some = await enrolSome(client, addresses.slice(done, done + AT_ONCE), body);
    for (const result of some) await told(result);
    results.push(...some);
  }
  return results;
}
