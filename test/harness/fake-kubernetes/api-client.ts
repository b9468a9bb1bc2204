import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import type { Fields, Json } from './objects.ts';
import { isFields } from './objects.ts';

export interface Endpoint {
  readonly url: string;
  readonly ca: string;
  readonly token?: string;
  /** PEM. */
  readonly cert?: string;
  readonly key?: string;
}

export interface Reply {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty if the text is not JSON. */
  readonly body: Fields;
  readonly text: string;
}

const MERGE_PATCH = 'application/merge-patch+json';

function parseFields(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** A minimal client for tests of the API itself. */
export class KubernetesTestClient {
  readonly #endpoint: Endpoint;
  readonly #agent: Agent;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    const { ca, cert, key } = endpoint;
    this.#agent = new Agent({ keepAlive: true, ca, cert, key });
  }

  async request(method: string, path: string, body?: Json, contentType?: string): Promise<Reply> {
    const response = await this.#send(method, path, body, contentType);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString();
    return { code: response.statusCode ?? 0, headers: response.headers, body: parseFields(text), text };
  }

  /** Yields events until either side closes the stream. */
  async *watch(path: string): AsyncGenerator<Fields, undefined> {
    const response = await this.#send('GET', path);
    try {
      for await (const line of createInterface({ input: response })) yield parseFields(line);
    } finally {
      response.destroy();
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body?: Json, contentType?: string): Promise<IncomingMessage> {
    const { url, token } = this.#endpoint;
    const type = contentType ?? (method === 'PATCH' ? MERGE_PATCH : 'application/json');
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      // Node sends no content length with DELETE by default.
      ...(text === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, url), { method, agent: this.#agent, headers }, resolve);
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }
}
