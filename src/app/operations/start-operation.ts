import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/accounts/account.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { Policy, PolicyInput } from '../../domain/rollout/policy.ts';
import { resolvePolicy } from '../../domain/rollout/policy.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/new-id.ts';
import type { Reads, Records } from '../../store/records.ts';
import type { Asked } from '../../store/repositories/operations/operations.ts';
import { change } from '../change.ts';
import { unknownCluster } from '../clusters/read-clusters.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../put-result.ts';
import { kindRefusal } from './kind-refusal.ts';
import { planHosts } from './plan-hosts.ts';
import { operationRunning } from './read-operations.ts';

export interface OperationRequest {
  readonly cluster: RecordName;
  readonly kind: OperationKind;
  /** What is deployed; `''` for the other kinds. */
  readonly version: string;
  readonly wish: PolicyInput;
  /** A repeat under the same key finds what it has started, also when that is over. */
  readonly idempotencyKey: string | null;
}

/** For so long a key stands for what was started under it. */
const KEY_KEPT_MS = 24 * 3_600_000;

/** The whole policy: as asked for, else as the cluster has it, else as everybody has it. */
export async function policyFor(
  reads: Pick<Reads, 'clusters' | 'clusterPolicies'>,
  { cluster: name, kind, wish: input }: Pick<OperationRequest, 'cluster' | 'kind' | 'wish'>,
): Promise<Policy | AppError> {
  const cluster = await reads.clusters.get(name);
  if (cluster === undefined) return unknownCluster(name);
  const defaults = await reads.clusterPolicies.get(name);
  const policy = resolvePolicy(kind, { input, defaults, hasManager: cluster.containerManager !== null });
  return Array.isArray(policy) ? invalidBody(...policy) : policy;
}

/** Without the fields that are undefined: the store does not keep them. */
const asStored = (wish: PolicyInput): unknown => JSON.parse(JSON.stringify(wish));

const isSame = (
  running: ClusterOperation & { readonly asked: Asked },
  { kind, version, wish }: OperationRequest,
  policy: Policy,
): boolean =>
  running.kind === kind &&
  running.version === version &&
  (isDeepStrictEqual(running.asked.wish, asStored(wish)) || isDeepStrictEqual(running.policy, policy));

/** What was started before, when this is only a repeat of it. */
async function repeated(
  records: Records,
  request: OperationRequest,
  policy: Policy,
  keySince: string,
): Promise<ClusterOperation | AppError | undefined> {
  const { cluster, idempotencyKey } = request;
  const before =
    idempotencyKey && (await records.idempotencyKeys.operationOf(cluster, idempotencyKey, keySince));
  if (before && !isSame(before, request, policy))
    return new AppError(
      'idempotency_key_reused',
      `the Idempotency-Key was used for a different request, which started the operation ${before.id}; use another key`,
    );
  if (before) return before;
  const running = await records.operations.openIn(cluster);
  if (running === undefined) return undefined;
  if (isSame(running, request, policy)) return running;
  return operationRunning(running);
}

/** Starts an operation on a cluster, or finds the same one there. It is done by the engine; nothing is waited for here. */
export async function startOperation(
  ports: Ports,
  actor: Actor,
  request: OperationRequest,
): Promise<PutResult<ClusterOperation> | AppError> {
  const { cluster, kind, version, idempotencyKey } = request;
  return change(ports, actor, async ({ records, now, tell, news }) => {
    if ((await records.clusters.lock(cluster)) === undefined) return unknownCluster(cluster);
    const notTaken = await kindRefusal(ports, records, cluster, kind);
    if (notTaken) return notTaken;
    const policy = await policyFor(records, request);
    if (policy instanceof AppError) return policy;
    const keySince = formatTimestamp(ports.clock.now() - KEY_KEPT_MS);
    const before = await repeated(records, request, policy, keySince);
    if (before instanceof AppError) return before;
    // Also where somebody else, or nobody's key, has started it: the answer to a repeat stays the same.
    if (before && idempotencyKey) await records.idempotencyKeys.set(cluster, idempotencyKey, before.id);
    if (before) return { record: before, isNew: false };
    const hosts = await planHosts(records, cluster, policy);
    if (hosts instanceof AppError) return hosts;
    const operation: ClusterOperation = {
      ...{ id: newId(), kind, cluster, version, policy, hostCount: hosts.length },
      ...{ state: 'planned', pause: null, problem: '' },
      ...{
        acknowledgedFailures: 0,
        acceptedFailures: 0,
        assessment: 'first',
        blockedSinceMs: null,
        ignoredHosts: [],
      },
      ...{ startedBy: actor.account, startedAt: now(), finishedAt: null, isClusterDeleted: false },
      ...(actor.trace !== undefined && { trace: actor.trace }),
    };
    await records.operations.insert(operation, { wish: request.wish }, await records.nowMs());
    if (idempotencyKey) await records.idempotencyKeys.set(cluster, idempotencyKey, operation.id);
    await records.operationHosts.insert(
      operation.id,
      hosts.map(({ address: host, enrolment }, position) => ({ host, enrolment, position })),
    );
    const data = { kind, hosts: hosts.length, ...(version !== '' && { version }) };
    await tell({ type: 'operation.started', subject: operation.id, operation: operation.id, cluster, data });
    news(cluster);
    return { record: operation, isNew: true };
  });
}
