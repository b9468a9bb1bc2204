import { basic } from '../credentials.ts';
import type { JsonRequest, JsonResponse } from '../http/json-request.ts';
import { requestJson } from '../http/json-request.ts';
import { Random } from '../random.ts';
import { ADMIN } from '../traffic/requests.ts';
import { waitUntil } from '../wait-until.ts';

export const AUTHORIZATION = basic(ADMIN);
/** Limits the wait for a frozen server. */
const REQUEST_TIMEOUT_MS = 3000;
const RETRY_TIMEOUT_MS = 60_000;

/** `url` is `undefined` while the server is not running. */
type Server = { readonly url: string | undefined };
type AdminRequest = Pick<JsonRequest, 'method' | 'body' | 'timeoutMs'>;

/** Sends requests to random servers and retries on another one. */
export class AdminClient {
  readonly #servers: readonly Server[];
  readonly #random: Random;

  constructor(servers: readonly Server[], seed: number) {
    this.#servers = servers;
    this.#random = new Random(seed);
  }

  /** Sends one request. `undefined` means no response: the result is unknown. */
  async request(server: Server, target: string, options: AdminRequest = {}): Promise<JsonResponse | undefined> {
    if (server.url === undefined) return undefined;
    const headers = { authorization: AUTHORIZATION };
    const request = { timeoutMs: REQUEST_TIMEOUT_MS, ...options, headers };
    return requestJson(`${server.url}/api/v0/${target}`, request).catch(() => undefined);
  }

  requestAny(target: string, options: AdminRequest = {}): Promise<JsonResponse | undefined> {
    return this.request(this.#random.pick(this.#servers), target, options);
  }

  /** Retries on random servers until one succeeds. */
  requestUntilDone(target: string, options: AdminRequest = {}): Promise<JsonResponse> {
    const description = `${options.method ?? 'GET'} ${target}`;
    return waitUntil(
      description,
      async () => {
        const response = await this.requestAny(target, options);
        if (response === undefined || response.status >= 500) return undefined;
        if (response.status >= 300) throw new Error(`${description}: ${JSON.stringify(response)}`);
        return response;
      },
      RETRY_TIMEOUT_MS,
    );
  }
}
