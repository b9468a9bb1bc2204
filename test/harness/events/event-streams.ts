import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ADMIN_PASSWORD, basic } from '../credentials.ts';
import { connectSockets } from '../http/sockets.ts';
import type { TestService } from '../service.ts';
import { waitUntil } from '../wait-until.ts';
import { addOutboxEntries, outboxEntry } from './outbox-entries.ts';

/** A streaming response and the text received so far. */
export class OpenStream {
  readonly response: Response;
  readonly close: () => void;
  text = '';
  isEnded = false;

  private constructor(response: Response, close: () => void) {
    this.response = response;
    this.close = close;
    void this.#read();
  }

  static async open(
    url: string,
    { as = `admin:${ADMIN_PASSWORD}`, headers = {} }: { as?: string | null; headers?: Record<string, string> } = {},
  ): Promise<OpenStream> {
    const abort = new AbortController();
    const response = await fetch(url, {
      headers: { ...(as !== null && { authorization: basic(as) }), ...headers },
      signal: abort.signal,
    });
    return new OpenStream(response, () => abort.abort());
  }

  async waitFor(text: string): Promise<string> {
    await waitUntil(
      () => `${text} in ${this.text}`,
      () => this.text.includes(text),
    );
    return this.text;
  }

  async waitForEnd(): Promise<string> {
    await waitUntil('the end of the stream', () => this.isEnded);
    return this.text;
  }

  /** Data of each message; messages without data are skipped. */
  get messages(): readonly Record<string, unknown>[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of this.response.body ?? []) this.text += decoder.decode(bytes, { stream: true });
    } catch {
      // The client or the server closed the stream.
    }
    this.isEnded = true;
  }
}

/** Without the final empty line. */
export const EVENTS_REQUEST = `GET /api/v0/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(`admin:${ADMIN_PASSWORD}`)}\r\n`;

/** More than the socket buffers of the kernel hold. */
export const LARGE_BYTES = 20_000_000;

/**
 * Opens an event stream, reads the response head and then stops reading. Returns both sockets of the
 * connection.
 */
export async function openStalledStream({ url }: TestService): Promise<{ client: Socket; server: Socket }> {
  const sockets = await connectSockets(url);
  sockets.client.write(`${EVENTS_REQUEST}\r\n`);
  const [response] = await once(sockets.client, 'data');
  if (!String(response).startsWith('HTTP/1.1 200 ')) throw new Error(`no events: ${response}`);
  sockets.client.pause();
  return sockets;
}

export const publishLargeEvent = ({ store }: TestService, bytes: number): Promise<void> =>
  addOutboxEntries(store, outboxEntry('much', { dataJson: JSON.stringify({ text: 'x'.repeat(bytes) }) }));
