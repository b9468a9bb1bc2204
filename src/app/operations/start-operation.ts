import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { parseLabelFilter } from '../../domain/hosts/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { Policy, PolicyInput } from '../../domain/rollout/policy.ts';
import { resolvePolicy } from '../../domain/rollout/policy.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { newId } from '../../lib/random.ts';
import { listSome } from '../../lib/text.ts';
import type { ReadRepositories, Repositories } from '../../store/repositories/index.ts';
import type { RequestedOperation } from '../../store/repositories/operations/operation-rows.ts';
import { clusterNotFound } from '../clusters/read-clusters.ts';
import type { Ports } from '../ports.ts';
import type { PutResult } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { operationRunning } from './read-operations.ts';

export async function checkKindSupported(
  { drivers }: Pick<Ports, 'drivers'>,
  reads: Pick<ReadRepositories, 'driverRecords'>,
  cluster: RecordName,
  kind: OperationKind,
): Promise<AppError | undefined> {
  const record = await reads.driverRecords.getManager(cluster);
  const driver = record && drivers.container_manager.find(({ type }) => type === record.type);
  const reason = driver?.unsupportedOperations?.[kind];
  return reason === undefined
    ? undefined
    : new AppError('operation_not_supported', `the cluster ${cluster} does not support ${kind}: ${reason}`);
}

type Member = Pick<Host, 'address' | 'enrolment'>;

/** Hosts in the list come first, the others keep their order. */
function applyOrder(members: readonly Member[], { order }: Policy): readonly Member[] {
  if (order === 'address') return members;
  const positions = new Map(order.map((address, position) => [address, position]));
  const toPosition = ({ address }: Member) => positions.get(address) ?? Number.POSITIVE_INFINITY;
  return members.toSorted((left, right) =>
    toPosition(left) < toPosition(right) ? -1 : Number(toPosition(left) > toPosition(right)),
  );
}

/** Hosts that are already down cost no availability. */
function downFirst(members: readonly Member[], down: ReadonlySet<Address>): readonly Member[] {
  return members.toSorted((left, right) => Number(down.has(right.address)) - Number(down.has(left.address)));
}

export async function selectHosts(
  reads: Pick<ReadRepositories, 'hosts' | 'hostLabels' | 'rolloutSnapshots'>,
  cluster: RecordName,
  policy: Policy,
): Promise<readonly Member[] | AppError> {
  const members = await reads.hosts.listMembers(cluster);
  const memberAddresses = new Set<Address>(members.map(member => member.address));
  const requested = [...(policy.hosts ?? []), ...(policy.order === 'address' ? [] : policy.order)];
  const nonMembers = requested.filter(address => !memberAddresses.has(address));
  if (nonMembers.length > 0)
    return new AppError(
      'not_a_member',
      `these hosts are not members of the cluster ${cluster}: ${listSome(nonMembers)}`,
    );
  const requestedHosts = policy.hosts && new Set(policy.hosts);
  let selected = members.filter(({ address }) => requestedHosts === null || requestedHosts.has(address));
  for (const label of policy.labels) {
    const labeled = new Set(await reads.hostLabels.listMembersWithLabel(cluster, parseLabelFilter(label)));
    selected = selected.filter(({ address }) => labeled.has(address));
  }
  const down = new Set(await reads.rolloutSnapshots.listDownMembers(cluster));
  return downFirst(applyOrder(selected, policy), down);
}

export interface OperationRequest {
  readonly cluster: RecordName;
  readonly kind: OperationKind;
  /** Empty unless `kind` is `deploy`. */
  readonly version: string;
  readonly policyInput: PolicyInput;
  /** A repeated request with this key returns the same operation, even after it has ended. */
  readonly idempotencyKey: string | null;
}

const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;

export async function resolveOperationPolicy(
  reads: Pick<ReadRepositories, 'clusters' | 'clusterPolicies'>,
  { cluster: name, kind, policyInput: input }: Pick<OperationRequest, 'cluster' | 'kind' | 'policyInput'>,
): Promise<Policy | AppError> {
  const cluster = await reads.clusters.get(name);
  if (cluster === undefined) return clusterNotFound(name);
  const defaults = await reads.clusterPolicies.get(name);
  return resolvePolicy(kind, { input, defaults, hasManager: cluster.containerManager !== null });
}

/** The store does not keep undefined fields. */
const toStoredInput = (policyInput: PolicyInput): unknown => JSON.parse(JSON.stringify(policyInput));

const isSameRequest = (
  running: RequestedOperation,
  { kind, version, policyInput }: OperationRequest,
  policy: Policy,
): boolean =>
  running.kind === kind &&
  running.version === version &&
  (isDeepStrictEqual(running.policyInput, toStoredInput(policyInput)) || isDeepStrictEqual(running.policy, policy));

async function findRepeat(
  records: Repositories,
  request: OperationRequest,
  policy: Policy,
  keySince: string,
): Promise<ClusterOperation | AppError | undefined> {
  const { cluster, idempotencyKey } = request;
  const earlier = idempotencyKey && (await records.idempotencyKeys.findOperation(cluster, idempotencyKey, keySince));
  if (earlier && !isSameRequest(earlier, request, policy))
    return new AppError(
      'idempotency_key_reused',
      `the Idempotency-Key was used for a different request, which started the operation ${earlier.id}; use another key`,
    );
  if (earlier) return earlier;
  const running = await records.operations.getOpen(cluster);
  if (running === undefined) return undefined;
  if (isSameRequest(running, request, policy)) return running;
  return operationRunning(running);
}

/** An identical request returns the running operation. The engine runs it asynchronously. */
export async function startOperation(
  ports: Ports,
  actor: Actor,
  request: OperationRequest,
): Promise<PutResult<ClusterOperation> | AppError> {
  const { cluster, kind, version, idempotencyKey } = request;
  return runUnitOfWork(ports, actor, async ({ records, now, emit, requestReconcile }) => {
    if ((await records.clusters.lock(cluster)) === undefined) return clusterNotFound(cluster);
    const kindError = await checkKindSupported(ports, records, cluster, kind);
    if (kindError) return kindError;
    const policy = await resolveOperationPolicy(records, request);
    if (policy instanceof AppError) return policy;
    const keySince = formatTimestamp(ports.clock.now() - IDEMPOTENCY_TTL_MS);
    const earlier = await findRepeat(records, request, policy, keySince);
    if (earlier instanceof AppError) return earlier;
    // Also if a request without this key started the operation: repeats must get the same response.
    if (earlier && idempotencyKey) await records.idempotencyKeys.set(cluster, idempotencyKey, earlier.id);
    if (earlier) return { record: earlier, isNew: false };
    const hosts = await selectHosts(records, cluster, policy);
    if (hosts instanceof AppError) return hosts;
    const operation: ClusterOperation = {
      id: newId(),
      kind,
      cluster,
      version,
      policy,
      hostCount: hosts.length,
      state: 'planned',
      pause: null,
      problem: '',
      acknowledgedFailures: 0,
      acceptedFailures: 0,
      assessment: 'initial',
      blockedSinceMs: null,
      ignoredHosts: [],
      startedBy: actor.account,
      startedAt: now(),
      finishedAt: null,
      isClusterRemoved: false,
      ...(actor.trace !== undefined && { trace: actor.trace }),
    };
    await records.operations.insert(operation, { policyInput: request.policyInput }, await records.nowMs());
    if (idempotencyKey) await records.idempotencyKeys.set(cluster, idempotencyKey, operation.id);
    await records.operationHosts.insert(
      operation.id,
      hosts.map(({ address: host, enrolment }, position) => ({ host, enrolment, position })),
    );
    const data = { kind, hosts: hosts.length, ...(version !== '' && { version }) };
    await emit({ type: 'operation.started', subject: operation.id, operation: operation.id, cluster, data });
    requestReconcile(cluster);
    return { record: operation, isNew: true };
  });
}
