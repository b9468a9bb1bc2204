// A connection on which every byte goes out as it is written, for what no client library would send.

import type { Socket } from 'node:net';
import { connect } from 'node:net';

const DEADLINE_MS = 10_000;

export interface RawAnswer {
  readonly status: number;
  /** By name in lower case. */
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
  if (status === undefined) throw new Error(`this is no answer: ${statusLine}`);
  const headers = lines.map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { status: Number(status), headers: new Map(headers), bytes: end + 4 };
}

interface Body {
  readonly body: Buffer;
  /** How many bytes it took. */
  readonly taken: number;
}

/** A body in chunks, once it is whole. */
function readChunks(received: Buffer): Body | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = received.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const length = Number.parseInt(received.toString('latin1', at, end), 16);
    const next = end + 2 + length + 2;
    if (!(length >= 0)) throw new Error('this is no chunk');
    if (received.length < next) return undefined;
    if (length === 0) return { body: Buffer.concat(chunks), taken: next };
    chunks.push(received.subarray(end + 2, end + 2 + length));
    at = next;
  }
}

interface Circumstances {
  /** Whether it answers HEAD, and so has no body. */
  readonly isHead: boolean;
  /** Whether nothing more will come. */
  readonly isClosed: boolean;
}

/**
 * What follows a head, once it is whole. The service says the length of everything but of long lists, which come in chunks; for
 * HTTP/1.0, which knows none, they end with the connection.
 */
function readBody(
  { status, headers }: Head,
  received: Buffer,
  { isHead, isClosed }: Circumstances,
): Body | undefined {
  if (isHead || status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), taken: 0 };
  // It has no end: its beginning is enough.
  if (headers.get('content-type') === 'text/event-stream')
    return received.length === 0 && !isClosed ? undefined : { body: received, taken: received.length };
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(received);
  const length = headers.get('content-length');
  if (length === undefined) {
    if (headers.get('connection') !== 'close')
      throw new Error(`an answer of ${status} does not say its length`);
    return isClosed ? { body: received, taken: received.length } : undefined;
  }
  const taken = Number(length);
  return received.length < taken ? undefined : { body: received.subarray(0, taken), taken };
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
    this.#socket.on('data', data => this.#note(data));
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#note(Buffer.alloc(0));
    });
    // A connection that is cut off is closed, whatever the reason.
    this.#socket.on('error', () => {});
  }

  #note(data: Buffer) {
    this.#received = Buffer.concat([this.#received, data]);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(bytes: string | Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** What has arrived, once it is whole; what says only to go on is passed over. */
  #take(isHead: boolean): RawAnswer | undefined {
    const head = readHead(this.#received);
    if (head === undefined) return undefined;
    const read = readBody(head, this.#received.subarray(head.bytes), {
      isHead,
      isClosed: this.#isClosed,
    });
    if (read === undefined) return undefined;
    this.#received = this.#received.subarray(head.bytes + read.taken);
    return head.status < 200
      ? this.#take(isHead)
      : { status: head.status, headers: head.headers, body: read.body };
  }

  /** The next answer; `undefined` when the service closes the connection instead. Half an answer is none. */
  async answer(isHead = false): Promise<RawAnswer | undefined> {
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => deadline.reject(new Error(`neither an answer nor an end in ${this.#deadlineMs} ms`)),
      this.#deadlineMs,
    );
    try {
      for (;;) {
        const answer = this.#take(isHead);
        if (answer) return answer;
        if (this.#isClosed && this.#received.length > 0) throw new Error('the answer is cut off');
        if (this.#isClosed) return undefined;
        await Promise.race([this.#changed.promise, deadline.promise]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Every answer until the service closes the connection. */
  async answers(): Promise<readonly RawAnswer[]> {
    const answer = await this.answer();
    return answer ? [answer, ...(await this.answers())] : [];
  }

  /** After what was written has left. */
  close(): void {
    this.#isClosed = true;
    this.#socket.destroySoon();
  }
}
