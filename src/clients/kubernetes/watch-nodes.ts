import { hash } from 'node:crypto';
import Type from 'typebox';
import { systemClock } from '../../lib/time/clock.ts';
import { GrowingPause } from '../../lib/time/growing-pause.ts';
import { reading } from '../reading.ts';
import { ServerFailure } from '../server-failure.ts';
import type { ApiServer } from './api-server.ts';
import { apiStatusOf } from './api-status.ts';
import type { KubeNode } from './kube-node.ts';
import { kubeNodeOf, nodeSchema } from './kube-node.ts';
import type { NodesApi } from './nodes-api.ts';

/** The server ends each watch after so long; one that says nothing for five minutes is taken for dead. */
const WATCH_S = 240;
const EXPIRED = 410;

const readEvent = reading(
  'a watch event',
  Type.Object({
    type: Type.String(),
    object: Type.Object({
      metadata: Type.Optional(Type.Object({ resourceVersion: Type.Optional(Type.String()) })),
    }),
  }),
);
const readNode = reading('a node of a watch', nodeSchema);

/** Of all but what changes without a reason for anybody to look. */
const gist = ({ resourceVersion: _, ...node }: KubeNode): string =>
  hash('sha256', JSON.stringify(node), 'base64');

/** The largest clusters that anybody runs have 65,000. */
const MOST_NODES = 100_000;

type WatchServer = Pick<ApiServer, 'lines' | 'refusal'>;

/** What is known of all nodes. */
class SeenNodes {
  readonly #gists = new Map<string, string>();

  /** Whether there is news in it. */
  note(node: KubeNode): boolean {
    const [before, now] = [this.#gists.get(node.name), gist(node)];
    this.#gists.set(node.name, now);
    if (this.#gists.size > MOST_NODES)
      throw new ServerFailure('unreadable', 'the watch reported too many nodes');
    return before !== now;
  }

  forget(node: KubeNode): boolean {
    return this.#gists.delete(node.name);
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
  changed: () => void,
  signal: AbortSignal,
): Promise<'ended' | 'expired'> {
  const seen = new SeenNodes();
  const { items, resourceVersion } = await nodes.list();
  for (const node of items) seen.note(node);
  if (signal.aborted) return 'ended';
  changed();
  let from = resourceVersion;
  const pause = new GrowingPause(systemClock);
  for (;;) {
    const next = await follow(server, seen, from, changed, signal);
    if (next === undefined) return 'expired';
    // A server that ends watches without a word is not asked for one after the other.
    if (next === from || signal.aborted) return 'ended';
    from = next;
    await pause.wait(signal);
    if (signal.aborted) return 'ended';
  }
}

/** One watch, until the server ends it. Answers where the next goes on; `undefined`: nowhere. */
async function follow(
  server: WatchServer,
  seen: SeenNodes,
  from: string,
  changed: () => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = { watch: '1', resourceVersion: from, allowWatchBookmarks: 'true', timeoutSeconds: WATCH_S };
  const call = { method: 'GET', path: '/api/v1/nodes', query, what: 'watch nodes', signal } as const;
  let at = from;
  for await (const { status, body } of server.lines({ ...call, expects: [EXPIRED] })) {
    if (status === EXPIRED) return undefined;
    const { type, object } = readEvent(body);
    if (type === 'ERROR') return afterError(server, object);
    at = object.metadata?.resourceVersion ?? at;
    if (type === 'BOOKMARK') continue;
    const node = kubeNodeOf(readNode(object));
    if (type === 'DELETED' ? seen.forget(node) : seen.note(node)) changed();
  }
  return at;
}

/** A watch that has begun is refused by an event. */
function afterError(server: WatchServer, object: unknown): undefined {
  if (apiStatusOf(object).code === EXPIRED) return undefined;
  throw server.refusal('watch nodes', { status: apiStatusOf(object).code ?? 500, body: object });
}
