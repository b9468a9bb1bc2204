import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ClientCertificate } from '../certificates/certificates.ts';
import type { ResponseFault } from '../faults.ts';
import { applyFault } from '../http/apply-fault.ts';
import { listen } from '../http/sockets.ts';
import type { FakeNode } from './fake-swarm.ts';
import { FakeSwarm } from './fake-swarm.ts';

export interface EngineRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

interface EngineResponse {
  readonly status: number;
  readonly body?: unknown;
}

const errorResponse = (status: number, message: string): EngineResponse => ({ status, body: { message } });

const NO_MANAGER = errorResponse(
  503,
  'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
);
const OUT_OF_SEQUENCE = errorResponse(500, 'rpc error: code = Unknown desc = update out of sequence');

type Route = (swarm: FakeSwarm, request: EngineRequest, id: string) => EngineResponse;

const withNode =
  (handle: (swarm: FakeSwarm, node: FakeNode, request: EngineRequest) => EngineResponse): Route =>
  (swarm, request, id) => {
    const node = swarm.node(id);
    return node === undefined ? errorResponse(404, `node ${id} not found`) : handle(swarm, node, request);
  };

function isSpec(body: unknown): body is FakeNode['Spec'] {
  const { Availability, Role } = Object(body);
  return ['active', 'pause', 'drain'].includes(Availability) && ['worker', 'manager'].includes(Role);
}

const update = withNode((swarm, node, { query, body }) => {
  if (!isSpec(body)) return errorResponse(400, 'invalid Availability or Role');
  if (Number(query.get('version')) !== node.Version.Index) return OUT_OF_SEQUENCE;
  // An update replaces the whole spec.
  node.Spec = { Availability: body.Availability, Role: body.Role, Labels: body.Labels };
  swarm.touch(node);
  return { status: 200 };
});

const remove = withNode((swarm, node, { query }) => {
  if (node.ManagerStatus !== undefined)
    return errorResponse(
      400,
      `rpc error: code = FailedPrecondition desc = node ${node.ID} is a cluster manager and is a member of the raft cluster. It must be demoted to worker before removal`,
    );
  if (node.Status.State !== 'down' && query.get('force') !== 'true')
    return errorResponse(
      400,
      `rpc error: code = FailedPrecondition desc = node ${node.ID} is not down and can't be removed`,
    );
  swarm.remove(node);
  return { status: 200 };
});

function tasks(swarm: FakeSwarm, { query }: EngineRequest): EngineResponse {
  const { node: [id = ''] = [] } = JSON.parse(query.get('filters') ?? '{}') as { node?: string[] };
  if (swarm.node(id) === undefined) return errorResponse(404, `node ${id} not found`);
  return { status: 200, body: swarm.tasks.filter(({ NodeID }) => NodeID === id) };
}

const managerRoutes: readonly (readonly [RegExp, Route])[] = [
  [/^GET \/swarm$/, ({ workerToken }) => ({ status: 200, body: { JoinTokens: { Worker: workerToken } } })],
  [/^GET \/nodes$/, ({ nodes }) => ({ status: 200, body: nodes })],
  [/^GET \/nodes\/([^/]+)$/, withNode((_swarm, node) => ({ status: 200, body: node }))],
  [/^GET \/tasks$/, tasks],
  [/^POST \/nodes\/([^/]+)\/update$/, update],
  [/^DELETE \/nodes\/([^/]+)$/, remove],
];

const info: Route = ({ localNodeState, controlAvailable, managers }) => ({
  status: 200,
  body: {
    Swarm: {
      LocalNodeState: localNodeState,
      ControlAvailable: controlAvailable,
      RemoteManagers: managers.length === 0 ? null : managers,
    },
  },
});

const publicRoutes: readonly (readonly [RegExp, Route])[] = [
  [/^GET \/version$/, () => ({ status: 200, body: { Version: '20.10.24' } })],
  [/^GET \/info$/, info],
];

function handleRequest(swarm: FakeSwarm, request: EngineRequest): EngineResponse {
  const line = `${request.method} ${request.path}`;
  for (const [pattern, route] of [...publicRoutes, ...managerRoutes]) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const isForbidden = !swarm.controlAvailable && !publicRoutes.some(([publicPattern]) => publicPattern === pattern);
    return isForbidden ? NO_MANAGER : route(swarm, request, decodeURIComponent(match[1] ?? ''));
  }
  return errorResponse(404, 'page not found');
}

interface EngineOptions {
  /** Server certificate and the authority of accepted clients. Default: no TLS. */
  readonly tls?: ClientCertificate;
}

function createEngineServer({ tls }: EngineOptions, listener: RequestListener): Server {
  if (tls === undefined) return createServer(listener);
  const [cert, key, ca] = [tls.cert, tls.key, tls.caPath].map(file => readFileSync(file));
  return createTlsServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, listener);
}

/** The Engine API of a fake swarm on loopback. */
export class EngineServer {
  swarm = new FakeSwarm();
  /** Such as `GET /nodes`, without the query. */
  readonly requests: string[] = [];
  /** Called before each response: can cause side effects, or replace the response. */
  before: (request: EngineRequest) => ResponseFault | undefined = () => undefined;
  readonly #server: Server;
  readonly #scheme: string;

  constructor(options: EngineOptions = {}) {
    this.#scheme = options.tls ? 'https' : 'http';
    this.#server = createEngineServer(options, (request, response) => void this.#serve(request, response));
  }

  async start(): Promise<this> {
    await listen(this.#server);
    return this;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#scheme}://127.0.0.1:${port}`;
  }

  /** Restores the initial state. */
  reset(): void {
    this.swarm = new FakeSwarm();
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
    const fault = this.before(request);
    if (fault !== undefined) return applyFault(response, fault);
    const { status, body: responseBody } = handleRequest(this.swarm, request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(responseBody === undefined ? '' : JSON.stringify(responseBody));
  }
}
