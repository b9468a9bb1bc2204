import { basic } from '../credentials.ts';
import type { JsonRequest, JsonResponse } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import { Random } from '../random.ts';
import { waitUntil } from '../wait-until.ts';
import { ADMIN } from './requests.ts';

export const AUTHORIZATION = basic(ADMIN);
/** Limits the wait for a frozen server. */
const REQUEST_TIMEOUT_MS = 3000;
const RETRY_TIMEOUT_MS = 60_000;

/** `url` is `undefined` while the server is not running. */
type Server = { readonly name: string; readonly url: string | undefined };
type AdminRequest = Pick<JsonRequest, 'method' | 'body' | 'timeoutMs'>;

/** Sends requests to random servers, and retries on random servers. */
export class AdminClient {
  readonly #servers: readonly Server[];
  readonly #random: Random;

  constructor(servers: readonly Server[], seed: number) {
    this.#servers = servers;
    this.#random = new Random(seed);
  }

  /** URLs of the running servers. */
  get urls(): readonly string[] {
    return this.#servers.flatMap(({ url }) => url ?? []);
  }

  /** Sends one request. `undefined` means no response: the result is unknown. */
  async #request(server: Server, target: string, options: AdminRequest = {}): Promise<JsonResponse | undefined> {
    if (server.url === undefined) return undefined;
    const headers = { authorization: AUTHORIZATION };
    const request = { timeoutMs: REQUEST_TIMEOUT_MS, ...options, headers };
    return requestJson(`${server.url}/api/v0/${target}`, request).catch(() => undefined);
  }

  requestAny(target: string, options: AdminRequest = {}): Promise<JsonResponse | undefined> {
    return this.#request(this.#random.pick(this.#servers), target, options);
  }

  /** Retries on random servers until one succeeds. */
  requestUntilDone(target: string, options: AdminRequest = {}): Promise<JsonResponse> {
    const description = `${options.method ?? 'GET'} ${target}`;
    return waitUntil(
      description,
      async () => {
        const response = await this.requestAny(target, options);
        if (response === undefined || response.status === 503) return undefined;
        if (response.status >= 300) throw new Error(`${description}: ${JSON.stringify(response)}`);
        return response;
      },
      RETRY_TIMEOUT_MS,
    );
  }

  /** Retries until the record is removed. */
  async remove(target: string): Promise<void> {
    await waitUntil(`DELETE ${target}`, async () => {
      const response = await this.requestAny(target, { method: 'DELETE' });
      // 404: the response to the previous request was lost.
      return response?.status === 200 || response?.status === 404;
    });
  }

  /** Response bodies of all servers, once each responds with 200. */
  requestEach(target: string): Promise<readonly string[]> {
    return Promise.all(
      this.#servers.map(server =>
        waitUntil(`GET ${target} of ${server.name}`, async () => {
          const response = await this.#request(server, target);
          return response?.status === 200 && JSON.stringify(response.body);
        }),
      ),
    );
  }

  /**
   * Returns the servers whose response has another status. Errors and missing responses are retried until the
   * timeout.
   */
  async checkEveryServer(target: string, status: number, withinMs = RETRY_TIMEOUT_MS): Promise<readonly string[]> {
    const errors = this.#servers.map(async server => {
      const getStatus = async () => {
        const response = await this.#request(server, target);
        return response !== undefined && response.status < 500 && response.status;
      };
      const found = await waitUntil('a response', getStatus, withinMs).catch(() => undefined);
      if (found === status) return [];
      const outcome = found === undefined ? 'does not respond' : `returns ${found}`;
      return [`${server.name} ${outcome} instead of ${status} to ${target}`];
    });
    return (await Promise.all(errors)).flat();
  }
}
