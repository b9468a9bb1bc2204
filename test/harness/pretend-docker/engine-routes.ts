import type { PretendNode, PretendSwarm } from './pretend-swarm.ts';

export interface EngineRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface EngineAnswer {
  readonly status: number;
  readonly body?: unknown;
}

const refusal = (status: number, message: string): EngineAnswer => ({ status, body: { message } });

const NO_MANAGER = refusal(
  503,
  'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.',
);
const OUT_OF_SEQUENCE = refusal(500, 'rpc error: code = Unknown desc = update out of sequence');

type Route = (swarm: PretendSwarm, request: EngineRequest, id: string) => EngineAnswer;

const withNode =
  (then: (swarm: PretendSwarm, node: PretendNode, request: EngineRequest) => EngineAnswer): Route =>
  (swarm, request, id) => {
    const node = swarm.node(id);
    return node === undefined ? refusal(404, `node ${id} not found`) : then(swarm, node, request);
  };

function isSpec(body: unknown): body is PretendNode['Spec'] {
  const { Availability, Role } = Object(body);
  return ['active', 'pause', 'drain'].includes(Availability) && ['worker', 'manager'].includes(Role);
}

const update = withNode((swarm, node, { query, body }) => {
  if (!isSpec(body)) return refusal(400, 'invalid Availability or Role');
  if (Number(query.get('version')) !== node.Version.Index) return OUT_OF_SEQUENCE;
  // The whole of it is replaced.
  node.Spec = { Availability: body.Availability, Role: body.Role, Labels: body.Labels };
  swarm.touch(node);
  return { status: 200 };
});

const remove = withNode((swarm, node, { query }) => {
  if (node.ManagerStatus !== undefined)
    return refusal(
      400,
      `rpc error: code = FailedPrecondition desc = node ${node.ID} is a cluster manager and is a member of the raft cluster. It must be demoted to worker before removal`,
    );
  if (node.Status.State !== 'down' && query.get('force') !== 'true')
    return refusal(
      400,
      `rpc error: code = FailedPrecondition desc = node ${node.ID} is not down and can't be removed`,
    );
  swarm.remove(node);
  return { status: 200 };
});

function tasks(swarm: PretendSwarm, { query }: EngineRequest): EngineAnswer {
  const { node: [id = ''] = [] } = JSON.parse(query.get('filters') ?? '{}') as { node?: string[] };
  if (swarm.node(id) === undefined) return refusal(404, `node ${id} not found`);
  return { status: 200, body: swarm.tasks.filter(({ NodeID }) => NodeID === id) };
}

const ofManagers: readonly (readonly [RegExp, Route])[] = [
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

const ofAll: readonly (readonly [RegExp, Route])[] = [
  [/^GET \/version$/, () => ({ status: 200, body: { Version: '20.10.24' } })],
  [/^GET \/info$/, info],
];

/** What the Engine of a manager answers. */
export function answerOf(swarm: PretendSwarm, request: EngineRequest): EngineAnswer {
  const line = `${request.method} ${request.path}`;
  for (const [pattern, route] of [...ofAll, ...ofManagers]) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const isForbidden = !swarm.controlAvailable && !ofAll.some(([open]) => open === pattern);
    return isForbidden ? NO_MANAGER : route(swarm, request, decodeURIComponent(match[1] ?? ''));
  }
  return refusal(404, 'page not found');
}
