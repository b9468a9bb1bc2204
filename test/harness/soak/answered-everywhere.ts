import type { People } from '../chaos/people.ts';
import { until } from '../until.ts';

const ANSWERED_WITHIN_MS = 60_000;

interface Asked {
  readonly servers: readonly { readonly name: string; readonly url: string | undefined }[];
  readonly people: People;
}

/** Which servers answer otherwise than they must. Who gives no answer is asked again; no answer at all is wrong, too. */
export async function answeredEverywhere(
  { servers, people }: Asked,
  target: string,
  status: number,
  withinMs = ANSWERED_WITHIN_MS,
): Promise<readonly string[]> {
  const problems = servers.map(async server => {
    const answered = async () => {
      const answer = await people.ask(server, target);
      return answer !== undefined && answer.status < 500 && answer.status;
    };
    const found = await until('an answer', answered, withinMs).catch(() => undefined);
    if (found === status) return [];
    const said = found === undefined ? 'does not answer' : `answers with ${found}`;
    return [`${server.name} ${said} instead of ${status} to ${target}`];
  });
  return (await Promise.all(problems)).flat();
}
