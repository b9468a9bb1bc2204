import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

const formatRequest = ({ method, path, headers = {}, body = '' }: LoadRequest) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: bench',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body && [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');

/**
 * A keep-alive connection that sends one request at a time and parses as little of the response as possible, so that
 * the server is the bottleneck and not this client. Bodies are skipped by their length or up to the last chunk.
 */
export class Connection {
  readonly #socket: Socket;
  #head = '';
  /** Remaining bytes of the body; `undefined` while the head is read. */
  #bytesLeft: number | 'chunks' | undefined;
  #response: PromiseWithResolvers<number> = Promise.withResolvers();
  #status = 0;

  constructor(url: URL) {
    this.#socket = connect(Number(url.port), url.hostname).setNoDelay();
    this.#socket.on('data', data => this.#read(data));
    this.#socket.on('error', error => this.#response.reject(error));
    this.#socket.on('close', () => this.#response.reject(new Error('the server closed the connection')));
  }

  /** Returns the status. */
  send(request: LoadRequest): Promise<number> {
    this.#response = Promise.withResolvers();
    this.#socket.write(formatRequest(request), 'latin1');
    return this.#response.promise;
  }

  close() {
    this.#response.promise.catch(() => {});
    this.#socket.destroy();
  }

  #read(data: Buffer) {
    if (this.#bytesLeft === undefined) this.#readHead(data);
    else this.#readBody(data);
  }

  #readHead(data: Buffer) {
    this.#head += data.toString('latin1');
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const head = this.#head.slice(0, end);
    const bodySoFar = this.#head.length - end - END_OF_HEAD.length;
    const isComplete = this.#head.endsWith(LAST_CHUNK);
    this.#head = '';
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    this.#bytesLeft = length === undefined ? 'chunks' : Number(length) - bodySoFar;
    if (this.#bytesLeft === 0 || (length === undefined && isComplete)) this.#finish();
  }

  #readBody(data: Buffer) {
    if (this.#bytesLeft === 'chunks') {
      if (data.toString('latin1', data.length - LAST_CHUNK.length) === LAST_CHUNK) this.#finish();
      return;
    }
    this.#bytesLeft = (this.#bytesLeft ?? 0) - data.length;
    if (this.#bytesLeft === 0) this.#finish();
  }

  #finish() {
    this.#bytesLeft = undefined;
    this.#response.resolve(this.#status);
  }
}

/** Sends `count` requests over `connections` connections, each after the previous response. */
export async function load(
  url: string,
  count: number,
  connections: number,
  createRequest: (index: number) => LoadRequest,
): Promise<LoadResult> {
  const timesMs: number[] = [];
  let next = 0;

  async function worker() {
    const connection = new Connection(new URL(url));
    while (next < count) {
      const request = createRequest(next);
      next += 1;
      const startedAt = performance.now();
      const status = await connection.send(request);
      timesMs.push(performance.now() - startedAt);
      if (status >= 300) throw new Error(`${request.method} ${request.path} returned ${status}`);
    }
    connection.close();
  }

  // Waking a sleeping client for each response would cost server time.
  let isRunning = true;
  const stayAwake = () => {
    if (isRunning) setImmediate(stayAwake);
  };
  stayAwake();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: Math.min(connections, count) }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  isRunning = false;
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => timesMs[Math.min(timesMs.length - 1, Math.floor(timesMs.length * share))] ?? 0;
  return { perSecond: count / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
