// A JSON client for external servers. Invariants: nothing is sent after `mayProceed` returns false; time and size are
// limited; a body is `unknown` until it is parsed; no error message contains a secret.

import type { Dispatcher } from 'undici';
import type { ConnectionPool } from './connection-pool.ts';
import { sendRequest } from './connection-pool.ts';
import { RemoteServerError, toRemoteServerError } from './remote-error.ts';
import type { TlsFiles } from './tls-files.ts';

const MAX_LINE_LENGTH = 4 * 1024 * 1024;

/** Yields non-empty lines. Pieces of a line are joined once, which keeps long lines linear in time. */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      const whole = pieces.length === 0 ? line : pieces.join('') + line;
      [pieces, length] = [[], 0];
      if (whole.trim() !== '') yield whole;
    }
    if (rest !== '') pieces.push(rest);
    length += rest.length;
    if (length > MAX_LINE_LENGTH)
      throw new RemoteServerError('unreadable', 'a line of the response exceeds the size limit');
  }
  const last = pieces.join('');
  if (last.trim() !== '') yield last;
}

export interface JsonClientOptions {
  /** `http` or `https`; its path is prepended to each request path. */
  readonly url: string;
  readonly files?: TlsFiles;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: ConnectionPool;
  readonly mayProceed?: (() => boolean) | undefined;
  /** For the complete response. Default: 10 s. */
  readonly timeoutMs?: number | undefined;
}

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface JsonResponse {
  readonly status: number;
  /** `undefined` if the body is empty or not JSON. */
  readonly body: unknown;
  readonly text?: string;
  readonly length?: number;
}

export const isSuccess = ({ status }: JsonResponse): boolean => status >= 200 && status < 300;

/** Replaces the message of an unverified server. */
export const REASON_HIDDEN = 'the reason is shown only over TLS';

const TIMEOUT_MS = 10_000;
/** A page of 500 Kubernetes nodes has a few MiB. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #base: URL;

  constructor(options: JsonClientOptions) {
    this.#options = options;
    this.#base = new URL(options.url);
  }

  get displayName(): string {
    return this.#base.origin;
  }

  /** Messages of other servers are never quoted: a user who may set a URL could otherwise read from any server. */
  get isVerified(): boolean {
    return this.#base.protocol === 'https:';
  }

  async request(request: JsonRequest): Promise<JsonResponse> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit;
    return this.#mapErrors(async () => {
      const { statusCode, body } = await this.#send(request, signal);
      return toResponse(statusCode, await this.#readBody(body));
    });
  }

  /** Yields each line of a streaming response as JSON. The time limit applies only until the response starts. */
  async *streamLines(request: JsonRequest & { readonly signal: AbortSignal }): AsyncGenerator<JsonResponse> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const opening = new AbortController();
    const timer = setTimeout(() => opening.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs);
    const signal = AbortSignal.any([opening.signal, request.signal]);
    try {
      const { statusCode, body } = await this.#mapErrors(() => this.#send(request, signal));
      clearTimeout(timer);
      for await (const line of readLines(body)) yield toResponse(statusCode, line);
    } catch (error) {
      if (!request.signal.aborted) throw toRemoteServerError(this.displayName, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(request: JsonRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { connections, files = {}, headers = {}, mayProceed = () => true } = this.#options;
    const { body, contentType = 'application/json' } = request;
    const query: Record<string, string | number> = {};
    for (const [name, value] of Object.entries(request.query ?? {})) if (value !== undefined) query[name] = value;
    return sendRequest(
      { connections, files, mayProceed, signal },
      {
        origin: this.#base.origin,
        path: this.#base.pathname.replace(/\/$/, '') + request.path,
        query,
        method: request.method,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
  }

  async #readBody(body: AsyncIterable<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES)
        throw new RemoteServerError('unreadable', `${this.displayName}: the response exceeds the size limit`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  async #mapErrors<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw toRemoteServerError(this.displayName, error);
    }
  }
}

function toResponse(status: number, text: string): JsonResponse {
  try {
    return { status, body: JSON.parse(text), length: text.length };
  } catch {
    return { status, body: undefined, text };
  }
}
