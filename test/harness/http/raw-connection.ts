// A connection that sends bytes unchanged, for requests that no HTTP client would send.

import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { recordRequest } from '../vitest/last-requests.ts';

const DEADLINE_MS = 10_000;
/** For the message of a failed test. */
const MAX_RECORDED_BYTES = 300;

export interface RawResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: number;
}

function readHead(received: Buffer): Head | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`not a response: ${statusLine}`);
  const headers = lines.map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(status), headers: new Map(headers), bytes: end + 4 };
}

interface Body {
  readonly body: Buffer;
  readonly byteLength: number;
}

/** `undefined` until the last chunk has arrived. */
function readChunks(received: Buffer): Body | undefined {
  const chunks: Buffer[] = [];
  for (let offset = 0; ; ) {
    const end = received.indexOf('\r\n', offset);
    if (end === -1) return undefined;
    const length = Number.parseInt(received.toString('latin1', offset, end), 16);
    const next = end + 2 + length + 2;
    if (!(length >= 0)) throw new Error('invalid chunk');
    if (received.length < next) return undefined;
    if (length === 0) return { body: Buffer.concat(chunks), byteLength: next };
    chunks.push(received.subarray(end + 2, end + 2 + length));
    offset = next;
  }
}

interface ReadContext {
  /** The response to HEAD has no body. */
  readonly isHead: boolean;
  readonly isClosed: boolean;
}

/**
 * `undefined` until the body is complete. The server sends a length except for long lists, which are chunked,
 * or end with the connection for HTTP/1.0.
 */
function readBody({ status, headers }: Head, received: Buffer, { isHead, isClosed }: ReadContext): Body | undefined {
  if (isHead || status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), byteLength: 0 };
  // An event stream does not end, so its beginning is enough.
  if (headers.get('content-type') === 'text/event-stream')
    return received.length === 0 && !isClosed ? undefined : { body: received, byteLength: received.length };
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(received);
  const length = headers.get('content-length');
  if (length === undefined) {
    if (headers.get('connection') !== 'close') throw new Error(`a response with status ${status} has no length`);
    return isClosed ? { body: received, byteLength: received.length } : undefined;
  }
  const byteLength = Number(length);
  return received.length < byteLength ? undefined : { body: received.subarray(0, byteLength), byteLength };
}

export class RawConnection {
  readonly #deadlineMs: number;
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #changed = Promise.withResolvers<void>();

  constructor(url: string, deadlineMs = DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay();
    this.#socket.on('data', data => this.#append(data));
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#append(Buffer.alloc(0));
    });
    // The `close` event follows.
    this.#socket.on('error', () => {});
  }

  #append(data: Buffer) {
    this.#received = Buffer.concat([this.#received, data]);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(bytes: string | Uint8Array): void {
    const text = JSON.stringify(Buffer.from(bytes).toString('latin1', 0, MAX_RECORDED_BYTES));
    recordRequest({ method: 'sent to a connection:', target: text });
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** Skips 1xx responses. */
  #takeResponse(isHead: boolean): RawResponse | undefined {
    const head = readHead(this.#received);
    if (head === undefined) return undefined;
    const read = readBody(head, this.#received.subarray(head.bytes), {
      isHead,
      isClosed: this.#isClosed,
    });
    if (read === undefined) return undefined;
    this.#received = this.#received.subarray(head.bytes + read.byteLength);
    return head.status < 200
      ? this.#takeResponse(isHead)
      : { status: head.status, headers: head.headers, body: read.body };
  }

  /** `undefined` if the server closes the connection without a response. Throws for a truncated response. */
  async nextResponse(isHead = false): Promise<RawResponse | undefined> {
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => deadline.reject(new Error(`no response and no close within ${this.#deadlineMs} ms`)),
      this.#deadlineMs,
    );
    try {
      for (;;) {
        const nextResponse = this.#takeResponse(isHead);
        if (nextResponse) return nextResponse;
        if (this.#isClosed && this.#received.length > 0) throw new Error('the response is truncated');
        if (this.#isClosed) return undefined;
        await Promise.race([this.#changed.promise, deadline.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async allResponses(): Promise<readonly RawResponse[]> {
    const nextResponse = await this.nextResponse();
    return nextResponse ? [nextResponse, ...(await this.allResponses())] : [];
  }

  /** Sends pending data first. */
  close(): void {
    this.#isClosed = true;
    this.#socket.destroySoon();
  }
}
