// A client of the Engine API of a swarm manager. Paths contain no API version: the daemon then uses its newest. The
// used endpoints have not changed since 1.24, while daemons drop old versions. Invariant: a node is updated only if it
// has not changed since it was read.

import { Secret } from '../../domain/secret.ts';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { JsonClientOptions, JsonRequest, JsonResponse } from '../http/json-client.ts';
import { isSuccess, JsonClient, REASON_HIDDEN } from '../http/json-client.ts';
import { RemoteServerError } from '../http/remote-error.ts';
import type { TlsFiles } from '../http/tls-files.ts';
import type { DockerInfo, DockerVersion, SwarmNode, SwarmNodeSpec, SwarmTask } from './docker-schemas.ts';
import { errorMessage, readInfo, readNode, readNodes, readSwarm, readTasks, readVersion } from './docker-schemas.ts';

const TCP_URL = /^tcp:\/\/([^/:[\]]+|\[[^\]]*\])(:\d+)?(\/.*)?$/;

const hasTls = ({ caPath, certificatePath, certificateKeyPath }: TlsFiles): boolean =>
  [caPath, certificatePath, certificateKeyPath].some(path => path !== undefined);

/** In Docker, `tcp` means TLS if TLS files are set; each variant has its own default port. */
export function dockerHttpUrl(url: string, files: TlsFiles): string {
  const [isTcp, host, port, path = ''] = TCP_URL.exec(url) ?? [];
  if (isTcp === undefined) return url;
  const [scheme, defaultPort] = hasTls(files) ? ['https', ':2376'] : ['http', ':2375'];
  return `${scheme}://${host}${port ?? defaultPort}${path}`;
}

const isNotFound = ({ status }: JsonResponse): boolean => status === 404;

/** Docker reports this conflict as status 500. */
const isOutOfSequence = ({ status, body }: JsonResponse): boolean =>
  status === 409 || (status === 500 && errorMessage(body).includes('update out of sequence'));

const nodePath = (id: string): string => `/nodes/${encodeURIComponent(id)}`;

const ERROR_HINTS: readonly (readonly [RegExp, string])[] = [
  [/not a swarm manager/, 'the node is not a swarm manager'],
  [/does not have a leader|no leader/, 'the swarm has no leader: too few managers are running'],
  [/must be demoted/, 'the node is a manager; demote it first (docker node demote)'],
];

export class DockerClient {
  readonly #client: JsonClient;

  constructor(options: JsonClientOptions) {
    this.#client = new JsonClient({ ...options, url: dockerHttpUrl(options.url, options.files ?? {}) });
  }

  get displayName(): string {
    return this.#client.displayName;
  }

  async version(): Promise<DockerVersion> {
    return readVersion(await this.#get('/version'));
  }

  async info(): Promise<DockerInfo> {
    return readInfo(await this.#get('/info'));
  }

  async workerToken(): Promise<Secret> {
    return new Secret(readSwarm(await this.#get('/swarm')).JoinTokens.Worker);
  }

  async listNodes(): Promise<readonly SwarmNode[]> {
    return readNodes(await this.#get('/nodes'));
  }

  async getNode(id: string): Promise<SwarmNode | undefined> {
    const response = await this.#client.request({ method: 'GET', path: nodePath(id) });
    if (isNotFound(response)) return undefined;
    this.#assertSuccess(response);
    return readNode(response.body);
  }

  /** `conflict`: the node was changed since it was read, or removed. */
  async updateNode({ ID, Version }: SwarmNode, spec: SwarmNodeSpec): Promise<'updated' | 'conflict'> {
    const response = await this.#client.request({
      method: 'POST',
      path: `${nodePath(ID)}/update`,
      query: { version: Version.Index },
      body: spec,
    });
    if (isOutOfSequence(response) || isNotFound(response)) return 'conflict';
    this.#assertSuccess(response);
    return 'updated';
  }

  /** Also removes a node that is up. Succeeds if the node does not exist. */
  async removeNode({ ID }: Pick<SwarmNode, 'ID'>): Promise<void> {
    const response = await this.#client.request({ method: 'DELETE', path: nodePath(ID), query: { force: 'true' } });
    if (!isNotFound(response)) this.#assertSuccess(response);
  }

  async listTasks({ ID }: Pick<SwarmNode, 'ID'>): Promise<readonly SwarmTask[]> {
    return readTasks(await this.#get('/tasks', { filters: JSON.stringify({ node: [ID] }) }));
  }

  async #get(path: string, query: NonNullable<JsonRequest['query']> = {}): Promise<unknown> {
    const response = await this.#client.request({ method: 'GET', path, query });
    this.#assertSuccess(response);
    return response.body;
  }

  #assertSuccess(response: JsonResponse): void {
    if (isSuccess(response)) return;
    const message = errorMessage(response.body);
    const quoted = this.#client.isVerified ? sanitizeLine(message) || 'no reason given' : REASON_HIDDEN;
    const reason = ERROR_HINTS.find(([pattern]) => pattern.test(message))?.[1] ?? quoted;
    throw new RemoteServerError('rejected', `${this.displayName} rejected the request (${response.status}): ${reason}`);
  }
}
