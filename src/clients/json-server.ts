// Speaks JSON with a server of another system. What must hold: nothing is sent once we may not any more; nothing is waited for
// without a limit; what comes back is bounded, and is `unknown` until somebody has parsed it; no secret is in a message.

import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { linesOf } from './json-lines.ts';
import { sendRequest } from './send-request.ts';
import { ServerFailure, serverFailureOf } from './server-failure.ts';
import type { TlsFiles } from './tls-files.ts';

export interface ServerAccess {
  /** `http` or `https`; what stands behind the host is put before each path. */
  readonly url: string;
  readonly files?: TlsFiles;
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: Connections;
  readonly mayProceed?: () => boolean;
  /** For a whole answer. Default: 10 s. */
  readonly timeoutMs?: number;
}

export interface JsonCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Of the body. Default: `application/json`. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface JsonAnswer {
  readonly status: number;
  /** `undefined` where it is empty or no JSON. */
  readonly body: unknown;
  /** What it says where that is no JSON. */
  readonly text?: string;
  /** How many characters it had. */
  readonly length?: number;
}

/** Instead of a text that is not quoted. */
export const NOT_SHOWN = 'the reason is shown only over TLS';

const TIMEOUT_MS = 10_000;
/** A page of five hundred nodes with all that is told of them has a few. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

const isGiven = (value: string | number | undefined): value is string | number => value !== undefined;

export class JsonServer {
  readonly #access: ServerAccess;
  readonly #base: URL;

  constructor(access: ServerAccess) {
    this.#access = access;
    this.#base = new URL(access.url);
  }

  /** As it is told to people. */
  get name(): string {
    return this.#base.origin;
  }

  /**
   * Whether its answers come over TLS with a verified certificate. Texts of other servers are not quoted to people: with them, a caller who may set a
   * URL could read from any HTTP server that Hostler reaches.
   */
  get isVerified(): boolean {
    return this.#base.protocol === 'https:';
  }

  async call(call: JsonCall): Promise<JsonAnswer> {
    const { timeoutMs = TIMEOUT_MS } = this.#access;
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([limit, call.signal]) : limit;
    return this.#guarded(async () => {
      const { statusCode, body } = await this.#send(call, signal);
      return answerOf(statusCode, await this.#whole(body));
    });
  }

  /** An answer without end, such as that of a watch: each line of it as JSON. The first has to come with the limit of a call. */
  async *lines(call: JsonCall & { readonly signal: AbortSignal }): AsyncGenerator<JsonAnswer> {
    const { timeoutMs = TIMEOUT_MS } = this.#access;
    const opening = new AbortController();
    const timer = setTimeout(() => opening.abort(new DOMException('too late', 'TimeoutError')), timeoutMs);
    const signal = AbortSignal.any([opening.signal, call.signal]);
    try {
      const { statusCode, body } = await this.#guarded(() => this.#send(call, signal));
      clearTimeout(timer);
      for await (const line of linesOf(body)) yield answerOf(statusCode, line);
    } catch (error) {
      if (!call.signal.aborted) throw serverFailureOf(this.name, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(call: JsonCall, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { connections, files = {}, headers = {}, mayProceed = () => true } = this.#access;
    const { body, contentType = 'application/json' } = call;
    return sendRequest(
      { connections, files, mayProceed, signal },
      {
        origin: this.#base.origin,
        path: this.#base.pathname.replace(/\/$/, '') + call.path,
        query: Object.fromEntries(
          Object.entries(call.query ?? {}).filter((entry): entry is [string, string | number] =>
            isGiven(entry[1]),
          ),
        ),
        method: call.method,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(body !== undefined && { 'content-type': contentType }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
  }

  async #whole(body: AsyncIterable<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES)
        throw new ServerFailure('unreadable', `${this.name}: the response exceeds the size limit`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw serverFailureOf(this.name, error);
    }
  }
}

function answerOf(status: number, text: string): JsonAnswer {
  try {
    return { status, body: JSON.parse(text), length: text.length };
  } catch {
    return { status, body: undefined, text };
  }
}
