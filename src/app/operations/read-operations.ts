import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Budget } from '../../domain/rollout/budget.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import { allowedActions } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { isBlocked } from '../../domain/rollout/operation-host.ts';
import type { Outage } from '../../domain/rollout/outage.ts';
import type { OperationAction, OperationKind } from '../../domain/vocabulary.ts';
import type { StateCounts } from '../../store/repositories/operations/operation-hosts.ts';
import type { StepOutput } from '../../store/repositories/operations/operation-output.ts';
import type { OperationFilter } from '../../store/repositories/operations/operations.ts';
import { clusterNotFound } from '../clusters/read-clusters.ts';
import { listRecords } from '../pagination.ts';
import type { Ports } from '../ports.ts';

const notInOperation = (id: string, address: Address) =>
  new AppError('not_found', `the host ${address} is not in the operation ${id}`);

export const operationNotFound = (id: string) => new AppError('not_found', `the operation ${id} does not exist`);

export const operationRunning = ({ kind, id, cluster }: Pick<ClusterOperation, 'kind' | 'id' | 'cluster'>): AppError =>
  new AppError('operation_running', `the ${kind} ${id} is running on ${cluster}; wait until it ends, or cancel it`);

export interface OperationSummary {
  readonly operation: ClusterOperation;
  readonly counts: StateCounts;
  readonly can: readonly OperationAction[];
}

export interface OperationReport extends OperationSummary {
  readonly budget: Budget;
  /** Members that use the budget, without hosts in flight. */
  readonly outages: readonly Outage[];
  readonly hosts: Page<OperationHost>;
  /** Of the hosts and the outages, without removed hosts. */
  readonly hostnames: ReadonlyMap<Address, string>;
  readonly output: readonly StepOutput[];
}

export async function summarize({ store }: Ports, operation: ClusterOperation): Promise<OperationSummary> {
  const counts = await store.reads.operationHosts.countByState(operation.id);
  return { operation, counts, can: allowedActions(operation, { failures: counts.failed ?? 0 }) };
}

/** In plan order. */
const listOperationHosts = ({ store }: Pick<Ports, 'store'>, id: string, page: PageRequest<number> = {}) =>
  listRecords(
    store,
    page,
    (reads, batch) => reads.operationHosts.list(id, batch),
    ({ position }) => position,
  );

/** `after`: the last host of the previous page. */
export async function getOperation(
  ports: Ports,
  id: string,
  { after, limit }: PageRequest<Address> = {},
): Promise<OperationReport | AppError> {
  const { operations, operationHosts, operationOutput, rolloutSnapshots } = ports.store.reads;
  const operation = await operations.get(id);
  if (operation === undefined) return operationNotFound(id);
  const last = after === undefined ? undefined : await operationHosts.get(id, after);
  if (after !== undefined && last === undefined) return notInOperation(id, after);
  const hosts = await listOperationHosts(ports, id, { after: last?.position, limit });
  const addresses = hosts.items.map(({ host }) => host);
  const output = await operationOutput.listLastLines(id, addresses);
  const budgetUse = await rolloutSnapshots.getBudget(operation, await ports.store.reads.nowMs());
  const unavailable = budgetUse.outages.map(({ host }) => host);
  const hostnames = await ports.store.reads.hosts.getHostnames([...new Set([...addresses, ...unavailable])]);
  return { ...(await summarize(ports, operation)), ...budgetUse, hosts, hostnames, output };
}

/** Newest first. `after`: the last operation of the previous page. */
export async function listOperations(
  ports: Ports,
  filter: OperationFilter,
  { after, limit }: PageRequest<string>,
): Promise<Page<OperationSummary> | AppError> {
  const { operations } = ports.store.reads;
  const last = after === undefined ? undefined : await operations.get(after);
  if (after !== undefined && last === undefined) return operationNotFound(after);
  const { items, hasMore } = await operations.list(filter, { after: last?.sequence, limit });
  const summaries = [];
  for (const operation of items) summaries.push(await summarize(ports, operation));
  return { items: summaries, hasMore };
}

/** For the record format of Commissaire. `inProcess` also contains hosts that block the start. */
export interface OperationRecord {
  readonly operation: ClusterOperation;
  readonly done: readonly OperationHost[];
  readonly inProcess: readonly OperationHost[];
}

export async function readRecord(ports: Ports, operation: ClusterOperation): Promise<OperationRecord> {
  const { items } = await listOperationHosts(ports, operation.id);
  return {
    operation,
    done: items.filter(({ phase }) => phase === 'done'),
    inProcess: items.filter(host => !['done', 'pending', 'skipped'].includes(host.phase) || isBlocked(host)),
  };
}

export async function getLatestOperation(
  ports: Ports,
  cluster: RecordName,
  kind: OperationKind,
): Promise<OperationRecord | AppError> {
  const { operations, clusters } = ports.store.reads;
  if ((await clusters.get(cluster)) === undefined) return clusterNotFound(cluster);
  const operation = await operations.getLatest(cluster, kind);
  return operation
    ? readRecord(ports, operation)
    : new AppError('not_found', `the cluster ${cluster} has no ${kind} yet`);
}

export interface OperationHostDetails {
  readonly host: OperationHost;
  /** `undefined` after the host was removed. */
  readonly hostname: string | undefined;
  readonly output: readonly StepOutput[];
}

export async function getOperationHost(
  { store }: Ports,
  id: string,
  address: Address,
): Promise<OperationHostDetails | AppError> {
  const { operations, operationHosts, operationOutput, hosts } = store.reads;
  const host = await operationHosts.get(id, address);
  if (host) {
    const hostnames = await hosts.getHostnames([address]);
    return { host, hostname: hostnames.get(address), output: await operationOutput.list(id, address) };
  }
  return (await operations.get(id)) ? notInOperation(id, address) : operationNotFound(id);
}
