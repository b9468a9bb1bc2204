// Keep-alive connections to external servers, shared by all clients of the same server. Certificates are always
// verified; there is no option to disable this.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import { errorCode } from '../../lib/errors.ts';
import type { AddressRule } from './address-rules.ts';
import { assertAllowed, filteredLookup, NO_METADATA } from './address-rules.ts';
import { RemoteServerError } from './remote-error.ts';
import type { TlsFiles } from './tls-files.ts';
import { assertCertificates, fingerprintFiles, readTlsFiles } from './tls-files.ts';

const MAX_AGENTS = 64;
const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_MS = 30_000;

export class ConnectionPool {
  /** By server and fingerprint of its TLS files; most recently used last. */
  readonly #agents = new Map<string, Promise<Agent>>();
  readonly #rule: AddressRule | undefined;

  constructor({ allowsLinkLocal = false }: { readonly allowsLinkLocal?: boolean } = {}) {
    this.#rule = allowsLinkLocal ? undefined : NO_METADATA;
  }

  /** A replaced file takes effect with the next call. */
  async agentFor(origin: string, files: TlsFiles): Promise<Agent> {
    assertAllowed(new URL(origin), this.#rule);
    const key = `${origin} ${await fingerprintFiles(files)}`;
    const cached = this.#agents.get(key);
    const agent = cached ?? createAgent(origin, files, this.#rule);
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    agent.catch(() => this.#agents.delete(key));
    for (const [old, unused] of this.#agents) {
      if (this.#agents.size <= MAX_AGENTS) break;
      this.#agents.delete(old);
      void unused.then(evicted => evicted.close()).catch(() => {});
    }
    return agent;
  }

  /** Removes an agent from the cache. Current users keep it; its connections close when idle. */
  evict(evicted: Agent): void {
    for (const [key, cached] of this.#agents) {
      const evictIfSame = (agent: Agent) => {
        if (agent === evicted && this.#agents.get(key) === cached) this.#agents.delete(key);
      };
      cached.then(evictIfSame, () => {});
    }
  }

  async close(): Promise<void> {
    const agents = await Promise.allSettled(this.#agents.values());
    this.#agents.clear();
    await Promise.all(agents.map(result => (result.status === 'fulfilled' ? result.value.destroy() : null)));
  }
}

let cachedCertificates: string[] | undefined;

export function defaultCaCertificates(): string[] {
  cachedCertificates ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return cachedCertificates;
}

/** The CA certificates are parsed once for all connections, because there are hundreds. */
async function createAgent(origin: string, files: TlsFiles, rule: AddressRule | undefined): Promise<Agent> {
  const certificates = await readTlsFiles(files);
  const isTls = new URL(origin).protocol === 'https:';
  if (isTls) assertCertificates(files, certificates);
  const secureContext = isTls
    ? createSecureContext({ ...certificates, ca: certificates.ca ?? defaultCaCertificates() })
    : undefined;
  return new Agent({
    connections: 32,
    // With HTTP/2 all requests would wait for the protocol negotiation of the first connection.
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      ...(secureContext && { secureContext }),
      ...(rule && { lookup: filteredLookup(rule) }),
    },
  });
}

/** undici handles the signal only once the request has a connection. */
export async function abortable<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

// Sends one request. Invariants: it ends when its signal aborts, in any phase; nothing is sent after that or after
// `mayProceed` returns false; an invalid request does not affect other requests.

export interface SendRequestOptions {
  readonly connections: ConnectionPool;
  readonly files: TlsFiles;
  readonly mayProceed: () => boolean;
  readonly signal: AbortSignal;
}

export interface ServerRequest {
  readonly origin: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const INVALID_REQUEST_CODES = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** Connection headers are set by the client only. */
const CONNECTION_HEADERS = new Set([
  ...['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'],
]);

const abortedError = () => new RemoteServerError('aborted', 'aborted');

/** The message does not contain the value, which can be a secret. */
function validateHeaders({ origin, headers }: ServerRequest): void {
  for (const [name, value] of Object.entries(headers)) {
    if (CONNECTION_HEADERS.has(name.toLowerCase()))
      throw new RemoteServerError('untrusted', `${origin}: the header ${name} must not be set`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new RemoteServerError('untrusted', `${origin}: the value of the header ${name} is invalid`);
    }
  }
}

/** Checks `mayProceed` again when the connection is ready, right before the request is written. */
const recheckBeforeSend =
  (mayProceed: () => boolean): Dispatcher.DispatcherComposeInterceptor =>
  dispatch =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        handler.onRequestStart?.(controller, context);
        if (!mayProceed()) controller.abort(abortedError());
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });

async function dispatchRequest(options: SendRequestOptions, request: ServerRequest): Promise<Dispatcher.ResponseData> {
  const { connections, files, mayProceed, signal } = options;
  const agent: Agent = await connections.agentFor(request.origin, files);
  signal.throwIfAborted();
  if (!mayProceed()) throw abortedError();
  try {
    return await agent.compose(recheckBeforeSend(mayProceed)).request({ ...request, signal });
  } catch (error) {
    // undici keeps the slot of an invalid request in the agent, so the agent is replaced.
    if (INVALID_REQUEST_CODES.has(errorCode(error))) connections.evict(agent);
    throw error;
  }
}

export async function sendRequest(
  options: SendRequestOptions,
  request: ServerRequest,
): Promise<Dispatcher.ResponseData> {
  validateHeaders(request);
  const { signal } = options;
  signal.throwIfAborted();
  return abortable(signal, dispatchRequest(options, request));
}
