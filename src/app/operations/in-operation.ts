// Hosts that are in an operation while something else is wanted of them.

import type { Address } from '../../domain/addresses/address.ts';
import { AppError, RetryTransaction } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { phaseGroupOf, withPhase } from '../../domain/rollout/operation-host.ts';
import { someOf } from '../../lib/text/some-of.ts';
import type { Records } from '../../store/records.ts';
import type { Change } from '../change.ts';
import { leaveOut } from './leave-out.ts';
import { tellHosts } from './tell-hosts.ts';

const inOperation = ({ kind, id }: ClusterOperation, hosts: readonly Address[]) =>
  new AppError(
    'host_in_operation',
    `the ${kind} ${id} is working on ${someOf(hosts)}; wait, or skip the host in the operation first`,
  );

/** The parts that hosts have in an operation. */
async function partsIn(
  records: Records,
  { id }: ClusterOperation,
  hosts: readonly Host[],
): Promise<readonly OperationHost[]> {
  const found = [];
  for (const { address, enrolment } of hosts) {
    const planned = await records.operationHosts.get(id, address);
    if (planned?.enrolment === enrolment) found.push(planned);
  }
  return found;
}

/**
 * Takes hosts that leave a cluster out of the operation on it, which the caller has locked. One in flight cannot leave; of the others none
 * is waited for any more, and none holds a slot.
 */
export async function leaveOperation(
  under: Change,
  operation: ClusterOperation | undefined,
  leaving: readonly Host[],
): Promise<AppError | undefined> {
  if (operation === undefined || leaving.length === 0) return undefined;
  const { records, news } = under;
  const parts = await partsIn(records, operation, leaving);
  const inFlight = parts.filter(({ phase }) => phaseGroupOf(phase) === 'in_flight').map(({ host }) => host);
  if (inFlight.length > 0) return inOperation(operation, inFlight);
  await leaveOut(under, operation, parts);
  news(operation.cluster);
  return undefined;
}

/** Locks the operation on the cluster of a host, if there is one, and then the host; they must still belong together. */
export async function lockHostWithOperation(
  records: Records,
  address: Address,
): Promise<{ host: Host | undefined; operation: ClusterOperation | undefined }> {
  const seen = await records.hosts.get(address);
  const operation = seen?.cluster ? await records.operations.lockOpenIn(seen.cluster) : undefined;
  const host = await records.hosts.lock(address);
  if (host?.cluster !== seen?.cluster) throw new RetryTransaction();
  return { host, operation };
}

/** Why a host cannot be bootstrapped now: it is in one operation or one bootstrap at a time. */
export async function operationProblem(
  records: Records,
  operation: ClusterOperation | undefined,
  host: Host,
): Promise<AppError | undefined> {
  const [part] = operation ? await partsIn(records, operation, [host]) : [];
  if (!operation || !part || !['preparing', 'in_flight'].includes(phaseGroupOf(part.phase))) return undefined;
  return inOperation(operation, [host.address]);
}

/**
 * Has an operation leave a host alone that people take out of service. One in flight is left to come to its end first; one that is being prepared
 * begins anew when it is back.
 */
export async function setAside(
  under: Change,
  operation: ClusterOperation | undefined,
  host: Host,
): Promise<AppError | undefined> {
  const { records, now } = under;
  const [part] = operation ? await partsIn(records, operation, [host]) : [];
  if (!operation || !part) return undefined;
  if (phaseGroupOf(part.phase) === 'in_flight') return inOperation(operation, [host.address]);
  if (phaseGroupOf(part.phase) !== 'preparing' || part.isStaged) return undefined;
  await records.work.dropOf(operation.id, [host.address]);
  const aside = withPhase(part, 'pending', now());
  await records.operationHosts.update(operation.id, aside);
  await tellHosts(under, operation, [aside]);
  return undefined;
}
