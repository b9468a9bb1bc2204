import { hash } from 'node:crypto';
import Type from 'typebox';
import { Backoff } from '../../lib/time/backoff.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { RemoteServerError } from '../http/remote-error.ts';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';
import { parseApiStatus } from './api-server.ts';
import type { KubeNode, NodesApi } from './nodes.ts';
import { nodeSchema, toKubeNode } from './nodes.ts';

/** The server ends each watch after this time. It must stay below the five-minute idle limit of a stream. */
const WATCH_S = 240;
const EXPIRED = 410;

const readEvent = schemaParser(
  'a watch event',
  Type.Object({
    type: Type.String(),
    object: Type.Object({
      metadata: Type.Optional(Type.Object({ resourceVersion: Type.Optional(Type.String()) })),
    }),
  }),
);
const readNode = schemaParser('a node of a watch', nodeSchema);

/** Ignores the resource version, which changes with every heartbeat. */
const nodeDigest = ({ resourceVersion: _, ...node }: KubeNode): string =>
  hash('sha256', JSON.stringify(node), 'base64');

/** The largest known clusters have 65,000 nodes. */
const MAX_NODES = 100_000;

type WatchServer = Pick<ApiServer, 'streamLines' | 'toError'>;

class NodeDigests {
  readonly #digests = new Map<string, string>();

  update(node: KubeNode): boolean {
    const [before, now] = [this.#digests.get(node.name), nodeDigest(node)];
    this.#digests.set(node.name, now);
    if (this.#digests.size > MAX_NODES) throw new RemoteServerError('unreadable', 'the watch reported too many nodes');
    return before !== now;
  }

  remove(node: KubeNode): boolean {
    return this.#digests.delete(node.name);
  }
}

/**
 * Calls `onChange` at the start and after each relevant change of a node; heartbeats do not count. Returns `ended` when
 * the signal aborts or the server ends a watch without an event, and `expired` when the resource version expired and
 * all nodes must be listed again.
 */
export async function watchNodes(
  server: WatchServer,
  nodes: Pick<NodesApi, 'list'>,
  onChange: () => void,
  signal: AbortSignal,
): Promise<'ended' | 'expired'> {
  const digests = new NodeDigests();
  const { items, resourceVersion } = await nodes.list();
  for (const node of items) digests.update(node);
  if (signal.aborted) return 'ended';
  onChange();
  let from = resourceVersion;
  const backoff = new Backoff(systemClock);
  for (;;) {
    const next = await watchOnce(server, digests, from, onChange, signal);
    if (next === undefined) return 'expired';
    // Do not restart a watch that ended without an event; this would loop.
    if (next === from || signal.aborted) return 'ended';
    from = next;
    await backoff.wait(signal);
    if (signal.aborted) return 'ended';
  }
}

/** Runs one watch until the server ends it. Returns the resource version to continue from; `undefined`: expired. */
async function watchOnce(
  server: WatchServer,
  digests: NodeDigests,
  from: string,
  onChange: () => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = { watch: '1', resourceVersion: from, allowWatchBookmarks: 'true', timeoutSeconds: WATCH_S };
  const request = { method: 'GET', path: '/api/v1/nodes', query, action: 'watch nodes', signal } as const;
  let lastVersion = from;
  for await (const { status, body } of server.streamLines({ ...request, acceptedStatuses: [EXPIRED] })) {
    if (status === EXPIRED) return undefined;
    const { type, object } = readEvent(body);
    if (type === 'ERROR') return handleErrorEvent(server, object);
    lastVersion = object.metadata?.resourceVersion ?? lastVersion;
    if (type === 'BOOKMARK') continue;
    const node = toKubeNode(readNode(object));
    if (type === 'DELETED' ? digests.remove(node) : digests.update(node)) onChange();
  }
  return lastVersion;
}

/** A running watch fails with an event, not with an HTTP status. */
function handleErrorEvent(server: WatchServer, object: unknown): undefined {
  if (parseApiStatus(object).code === EXPIRED) return undefined;
  throw server.toError('watch nodes', { status: parseApiStatus(object).code ?? 500, body: object });
}
