import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { change } from '../change.ts';
import { unknownHost } from '../hosts/read-hosts.ts';
import { leaveOperation } from '../operations/in-operation.ts';
import type { Ports } from '../ports.ts';
import { changeMembership, joinProblem } from './change-membership.ts';
import { unknownCluster } from './read-clusters.ts';

/** Makes one host a member; fine when it is one already, whatever its status. */
export async function addMember(
  ports: Ports,
  actor: Actor,
  name: RecordName,
  address: Address,
): Promise<Address | AppError> {
  return change(ports, actor, async under => {
    const { records } = under;
    const cluster = await records.clusters.lock(name);
    if (cluster === undefined) return unknownCluster(name);
    const host = await records.hosts.lock(address);
    if (host === undefined) return unknownHost(address);
    if (host.cluster === name) return address;
    const problem = joinProblem(cluster, [host]);
    if (problem) return problem;
    await changeMembership(under, cluster, { joining: [host] });
    return address;
  });
}

/** Takes one host out of the cluster; fine when it was not in. */
export async function removeMember(
  ports: Ports,
  actor: Actor,
  name: RecordName,
  address: Address,
): Promise<undefined | AppError> {
  return change(ports, actor, async under => {
    const { records } = under;
    const cluster = await records.clusters.lock(name);
    if (cluster === undefined) return unknownCluster(name);
    const operation = await records.operations.lockOpenIn(name);
    const host = await records.hosts.lock(address);
    if (host?.cluster !== name) return undefined;
    const inFlight = await leaveOperation(under, operation, [host]);
    if (inFlight) return inFlight;
    await changeMembership(under, cluster, { leaving: [host] });
    return undefined;
  });
}
