import type { Client } from '#client/client.ts';
import { RequestRefused } from '#client/client.ts';
import type { BodyOf } from '#contract/route.ts';
import type { hostRoutes } from '#contract/routes/hosts.ts';
import type { Following, Progress, Refused } from '../../fleet/run-each.ts';

export type EnrolBody = Omit<BodyOf<(typeof hostRoutes)['putHost']>, 'address' | 'host'>;

/** In one request: some seconds at most, so that it is seen how it goes on. */
const AT_ONCE = 50;

/** The service may take fewer at once, by number or by size. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof RequestRefused && (error.status === 413 || error.problem.code === 'too_many_hosts');

/** Enrols hosts with the same key and settings; those that are there already stay as they are. */
export async function enrolHosts(
  client: Pick<Client, 'enrolHosts'>,
  addresses: readonly string[],
  body: EnrolBody,
  { signal, onProgress }: Following,
): Promise<Progress> {
  const refused: Refused[] = [];
  let [next, done, most] = [0, 0, AT_ONCE];
  const progress = (isOver: boolean, failure?: { readonly problem: unknown }): Progress => ({
    ...{ total: addresses.length, done, refused: [...refused], left: addresses.slice(next), isOver },
    ...failure,
  });
  const end = (failure?: { readonly problem: unknown }) => {
    const last = progress(true, failure);
    onProgress(last);
    return last;
  };

  onProgress(progress(false));
  while (next < addresses.length && !signal.aborted) {
    const some = addresses.slice(next, next + most);
    try {
      const hosts = some.map(address => ({ ...body, address }));
      const { body: results } = await client.enrolHosts({ body: { hosts } });
      for (const { address, status, problem } of results) {
        if (problem === undefined) done += 1;
        else refused.push({ address, problem: new RequestRefused(status, problem) });
      }
      next += some.length;
      onProgress(progress(false));
    } catch (problem) {
      if (!isTooMuch(problem) || some.length === 1) return end({ problem });
      most = Math.ceil(some.length / 2);
    }
  }
  return end();
}
