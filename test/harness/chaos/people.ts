import { Random } from '../../engine/operations/model/random.ts';
import { basic } from '../http/basic.ts';
import type { JsonAnswer, JsonRequest } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import { ADMIN } from '../traffic/steps.ts';
import { until } from '../until.ts';

export const AUTHORIZATION = basic(ADMIN);
/** A server that is frozen is left alone soon. */
const ANSWER_WITHIN_MS = 3000;
const INSIST_FOR_MS = 60_000;

/** `undefined` while it does not run. */
type Server = { readonly url: string | undefined };
type Asked = Pick<JsonRequest, 'method' | 'body' | 'timeoutMs'>;

/** They ask any server, and another one when it does not answer. */
export class People {
  readonly #servers: readonly Server[];
  readonly #random: Random;

  constructor(servers: readonly Server[], seed: number) {
    this.#servers = servers;
    this.#random = new Random(seed);
  }

  /** Asks this server once; `undefined`: there is no answer, and nobody knows what became of it. */
  async ask(server: Server, target: string, asked: Asked = {}): Promise<JsonAnswer | undefined> {
    if (server.url === undefined) return undefined;
    const headers = { authorization: AUTHORIZATION };
    const request = { timeoutMs: ANSWER_WITHIN_MS, ...asked, headers };
    return requestJson(`${server.url}/api/v0/${target}`, request).catch(() => undefined);
  }

  /** Asks one of them once. */
  askAny(target: string, asked: Asked = {}): Promise<JsonAnswer | undefined> {
    return this.ask(this.#random.pick(this.#servers), target, asked);
  }

  /** Asks one after the other, until one does it. */
  insist(target: string, asked: Asked = {}): Promise<JsonAnswer> {
    const what = `${asked.method ?? 'GET'} ${target}`;
    return until(
      what,
      async () => {
        const answer = await this.askAny(target, asked);
        if (answer === undefined || answer.status >= 500) return undefined;
        if (answer.status >= 300) throw new Error(`${what}: ${JSON.stringify(answer)}`);
        return answer;
      },
      INSIST_FOR_MS,
    );
  }
}
