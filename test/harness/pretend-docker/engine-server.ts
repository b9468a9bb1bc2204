import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ClientCertificate } from '../certificates/certificates.ts';
import { listen } from '../listen.ts';
import type { EngineAnswer, EngineRequest } from './engine-routes.ts';
import { answerOf } from './engine-routes.ts';
import { PretendSwarm } from './pretend-swarm.ts';

interface EngineOptions {
  /** What it shows, and whose signature it wants from who comes; missing: without TLS. */
  readonly tls?: ClientCertificate;
}

function listening({ tls }: EngineOptions, listener: RequestListener): Server {
  if (tls === undefined) return createServer(listener);
  const [cert, key, ca] = [tls.cert, tls.key, tls.caPath].map(file => readFileSync(file));
  return createTlsServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, listener);
}

/** The Engine API of a pretend swarm, on this machine. */
export class EngineServer {
  swarm = new PretendSwarm();
  /** As `GET /nodes`, without the queries. */
  readonly requests: string[] = [];
  /** Asked before each answer: something may happen, or be answered instead; `hang`: nothing ever. */
  before: (request: EngineRequest) => EngineAnswer | 'hang' | undefined = () => undefined;
  readonly #server: Server;
  readonly #scheme: string;

  constructor(options: EngineOptions = {}) {
    this.#scheme = options.tls ? 'https' : 'http';
    this.#server = listening(options, (request, response) => void this.#serve(request, response));
  }

  async start(): Promise<this> {
    await listen(this.#server);
    return this;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#scheme}://127.0.0.1:${port}`;
  }

  /** As new: a swarm without nodes, and nothing is wrong. */
  reset(): void {
    this.swarm = new PretendSwarm();
    this.requests.length = 0;
    this.before = () => undefined;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', this.url);
    const body = incoming.headers['content-type'] === 'application/json' ? await json(incoming) : undefined;
    const request = { method: incoming.method ?? '', path: pathname, query: searchParams, body };
    this.requests.push(`${request.method} ${pathname}`);
    const answer = this.before(request) ?? answerOf(this.swarm, request);
    if (answer === 'hang') return;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }
}
