// Connections to servers of other systems, kept open for a while and shared by all who ask the same server. Certificates are always
// verified: there is no way to ask for less.

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

/** Old ones are closed when there are more. */
const MAX_AGENTS = 64;
const CONNECT_TIMEOUT_MS = 5000;
const KEEP_ALIVE_MS = 30_000;

export class ConnectionPool {
  /** By server and by the state of its files, the one that was used last at the end. */
  readonly #agents = new Map<string, Promise<Agent>>();
  readonly #rule: AddressRule | undefined;

  constructor({ allowsLinkLocal = false }: { readonly allowsLinkLocal?: boolean } = {}) {
    this.#rule = allowsLinkLocal ? undefined : NO_METADATA;
  }

  /** A file that was replaced counts from the next call on. */
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

  /** Nobody is given this agent again; those who have it keep it, and its connections close when they are idle. */
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

/** Those that the system trusts, and those that Node brings. */
export function defaultCaCertificates(): string[] {
  cachedCertificates ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return cachedCertificates;
}

/** What is trusted is read once for all connections: there are hundreds of authorities. */
async function createAgent(origin: string, files: TlsFiles, rule: AddressRule | undefined): Promise<Agent> {
  const certificates = await readTlsFiles(files);
  const isTls = new URL(origin).protocol === 'https:';
  if (isTls) assertCertificates(files, certificates);
  const secureContext = isTls
    ? createSecureContext({ ...certificates, ca: certificates.ca ?? defaultCaCertificates() })
    : undefined;
  return new Agent({
    connections: 32,
    // With HTTP/2 all would wait for the first connection, to learn what the server speaks.
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      ...(secureContext && { secureContext }),
      ...(rule && { lookup: filteredLookup(rule) }),
    },
  });
}

/** Work that ends with its signal: undici heeds one only when the request has a connection. */
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

// Sends one request over shared connections. What must hold: it ends when its signal says so, wherever it is by then; nothing is sent
// after that, nor once we may not any more; a request that cannot be sent harms no other.

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

/** What undici says of a request that it does not even try to send. */
const INVALID_REQUEST_CODES = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** These are about the connection, which is not for those who ask to speak of. */
const CONNECTION_HEADERS = new Set([
  ...['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'],
]);

const abortedError = () => new RemoteServerError('aborted', 'aborted');

/** The message names no value: it may be a secret. */
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

/** Asks once more when there is a connection, right before the request is written. */
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

async function dispatchRequest(
  options: SendRequestOptions,
  request: ServerRequest,
): Promise<Dispatcher.ResponseData> {
  const { connections, files, mayProceed, signal } = options;
  const agent: Agent = await connections.agentFor(request.origin, files);
  signal.throwIfAborted();
  if (!mayProceed()) throw abortedError();
  try {
    return await agent.compose(recheckBeforeSend(mayProceed)).request({ ...request, signal });
  } catch (error) {
    // It keeps the place that it had in the agent.
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
