import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../lib/errors.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { ConnectionPool } from '../http/connection-pool.ts';
import type { JsonClientOptions, JsonResponse } from '../http/json-client.ts';
import { JsonClient, REASON_HIDDEN } from '../http/json-client.ts';
import { RemoteServerError } from '../http/remote-error.ts';
import { errorText } from './etcd-gateway.ts';

export class EtcdError extends RemoteServerError {
  /** Another member, or the same member a moment later, may succeed: there is no leader, or the member was too slow. */
  readonly isTransient: boolean;
  readonly isCompacted: boolean;

  constructor(member: string, response: JsonResponse, isVerified: boolean) {
    const { status } = response;
    const text = errorText(response);
    super(
      'rejected',
      `etcd at ${member} ${ERROR_HINTS.find(([pattern]) => pattern.test(text))?.[1] ?? describeError(status, text, isVerified)}`,
    );
    this.isTransient = TRANSIENT_STATUSES.has(status) && !text.includes(NO_SPACE);
    this.isCompacted = text.includes('has been compacted');
  }
}

const NO_SPACE = 'database space exceeded';
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const ERROR_HINTS: readonly (readonly [RegExp, string])[] = [
  [/no leader|leader changed|not leader/, 'has no leader: too few members are running'],
  [/timed out|deadline exceeded/, 'did not respond in time: too few members are running, or they are slow'],
  // The second message occurs if the client certificate has a common name: the gateway then rejects all requests.
  [
    /user name is empty|CommonName of client sending a request against gateway/,
    'denied access: authentication is enabled, and the JSON gateway cannot authenticate clients by certificate; disable authentication (etcdctl auth disable) and require client certificates (--client-cert-auth)',
  ],
  [new RegExp(NO_SPACE), 'has no space left: compact it and disarm its alarm'],
];

const describeError = (status: number, text: string, isVerified: boolean): string => {
  if (status === 404) return 'has no v3 API: etcd 3.4 or later is required';
  if (text && !isVerified) return `rejected the request (${status}): ${REASON_HIDDEN}`;
  return `rejected the request (${status})${text && `: ${sanitizeLine(text)}`}`;
};

export interface EtcdClientOptions extends Omit<JsonClientOptions, 'url' | 'headers'> {
  readonly endpoints: readonly string[];
  /** For one request, including all members that are tried. Default: 15 s. */
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 15_000;
/** If there are several members, another one may respond sooner. */
const ENDPOINT_TIMEOUT_MS = 2000;
const RETRY_DELAY_MS = 200;

/** A member without a leader then fails immediately instead of waiting for an election. */
const HEADERS = { 'grpc-metadata-hasleader': 'true' };

/** Index of the last responsive member, by the URLs of all members. Per pool, because clients are short-lived. */
const lastResponsive = new WeakMap<ConnectionPool, Map<string, number>>();

/** A failed request goes to the next member, and to all members again during an election. */
export class EtcdEndpoints {
  readonly #servers: readonly JsonClient[];
  readonly #timeoutMs: number;
  readonly #lastResponsive: Map<string, number>;
  readonly #key: string;

  constructor({ endpoints, timeoutMs = TIMEOUT_MS, ...clientOptions }: EtcdClientOptions) {
    const { connections } = clientOptions;
    const { length } = endpoints;
    if (length === 0) throw new Error('no etcd endpoint is set');
    const endpointTimeoutMs =
      length === 1 ? timeoutMs : Math.min(ENDPOINT_TIMEOUT_MS, Math.ceil(timeoutMs / (length + 1)));
    const options = { ...clientOptions, headers: HEADERS, timeoutMs: endpointTimeoutMs };
    this.#servers = endpoints.map(url => new JsonClient({ ...options, url }));
    this.#timeoutMs = timeoutMs;
    this.#key = endpoints.join(' ');
    this.#lastResponsive = lastResponsive.get(connections) ?? new Map();
    lastResponsive.set(connections, this.#lastResponsive);
  }

  request(path: string, body: unknown): Promise<unknown> {
    return this.withFailover(async (server, signal) => {
      const response = await server.request({ method: 'POST', path, body, signal });
      if (response.status !== 200) throw new EtcdError(server.displayName, response, server.isVerified);
      return response.body;
    });
  }

  async withFailover<T>(send: (server: JsonClient, signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    for (;;) {
      const failures: unknown[] = [];
      for (const { server, index } of this.#orderedEndpoints()) {
        try {
          const response = await send(server, limit);
          this.#lastResponsive.set(this.#key, index);
          return response;
        } catch (error) {
          if (!isEndpointError(error)) throw error;
          failures.push(error);
        }
        if (limit.aborted) break;
      }
      if (limit.aborted || !failures.some(isRetryableRound)) throw combineErrors(failures);
      await delay(RETRY_DELAY_MS);
    }
  }

  #orderedEndpoints(): { readonly server: JsonClient; readonly index: number }[] {
    const first = this.#lastResponsive.get(this.#key) ?? 0;
    const all = this.#servers.map((server, index) => ({ server, index }));
    return [...all.slice(first), ...all.slice(0, first)];
  }
}

const isEndpointError = (error: unknown): boolean =>
  error instanceof EtcdError ? error.isTransient : error instanceof RemoteServerError && error.kind !== 'aborted';

const isRetryableRound = (error: unknown): boolean =>
  error instanceof EtcdError ? error.isTransient : error instanceof RemoteServerError && error.kind === 'timed_out';

const MAX_QUOTED = 3;

function combineErrors(failures: readonly unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  const messages = new Set(failures.map(errorMessage));
  const kinds = failures.map(failure => (failure instanceof RemoteServerError ? failure.kind : 'timed_out'));
  const kind = kinds.find(found => found !== 'rejected') ?? 'timed_out';
  const quoted = [...messages].slice(0, MAX_QUOTED).join('; ');
  return new RemoteServerError(kind, `no etcd member responds: ${quoted}`);
}
