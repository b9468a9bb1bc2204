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

/** The server ends each watch after so long; one that says nothing for five minutes is taken for dead. */
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

/** Of all but what changes without a reason for anybody to look. */
const nodeDigest = ({ resourceVersion: _, ...node }: KubeNode): string =>
  hash('sha256', JSON.stringify(node), 'base64');

/** The largest clusters that anybody runs have 65,000. */
const MAX_NODES = 100_000;

type WatchServer = Pick<ApiServer, 'streamLines' | 'toError'>;

/** What is known of all nodes. */
class NodeDigests {
  readonly #digests = new Map<string, string>();

  /** Whether there is news in it. */
  update(node: KubeNode): boolean {
    const [before, now] = [this.#digests.get(node.name), nodeDigest(node)];
    this.#digests.set(node.name, now);
    if (this.#digests.size > MAX_NODES)
      throw new RemoteServerError('unreadable', 'the watch reported too many nodes');
    return before !== now;
  }

  remove(node: KubeNode): boolean {
    return this.#digests.delete(node.name);
  }
}

/**
 * Calls back when nodes may have changed: once at the beginning, then at each change that is more than a sign of life. It comes back
 * when the signal ends it or the server has no more to say, and with `expired` when that has forgotten where we were. Then all has to
 * be read anew.
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
    // A server that ends watches without a word is not asked for one after the other.
    if (next === from || signal.aborted) return 'ended';
    from = next;
    await backoff.wait(signal);
    if (signal.aborted) return 'ended';
  }
}

/** One watch, until the server ends it. Answers where the next goes on; `undefined`: nowhere. */
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

/** A watch that has begun is refused by an event. */
function handleErrorEvent(server: WatchServer, object: unknown): undefined {
  if (parseApiStatus(object).code === EXPIRED) return undefined;
  throw server.toError('watch nodes', { status: parseApiStatus(object).code ?? 500, body: object });
}
