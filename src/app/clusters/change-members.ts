import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress, sortAddresses } from '../../domain/addresses/address.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { listSome } from '../../lib/text.ts';
import { hostNotFound } from '../hosts/read-hosts.ts';
import { skipLeavingHosts } from '../operations/operation-hosts.ts';
import type { Ports } from '../ports.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { changeMembership, checkCanJoin } from './membership.ts';
import { clusterNotFound } from './read-clusters.ts';

/** Idempotent: a current member is accepted with any status. */
export async function addMember(
  ports: Ports,
  actor: Actor,
  name: RecordName,
  address: Address,
): Promise<Address | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records } = unit;
    const cluster = await records.clusters.lock(name);
    if (cluster === undefined) return clusterNotFound(name);
    const host = await records.hosts.lock(address);
    if (host === undefined) return hostNotFound(address);
    if (host.cluster === name) return address;
    const error = checkCanJoin(cluster, [host]);
    if (error) return error;
    await changeMembership(unit, cluster, { joining: [host] });
    return address;
  });
}

/** Idempotent: succeeds if the host is not a member. */
export async function removeMember(
  ports: Ports,
  actor: Actor,
  name: RecordName,
  address: Address,
): Promise<undefined | AppError> {
  return runUnitOfWork(ports, actor, async unit => {
    const { records } = unit;
    const cluster = await records.clusters.lock(name);
    if (cluster === undefined) return clusterNotFound(name);
    const operation = await records.operations.lockOpen(name);
    const host = await records.hosts.lock(address);
    if (host?.cluster !== name) return undefined;
    const error = await skipLeavingHosts(unit, operation, [host]);
    if (error) return error;
    await changeMembership(unit, cluster, { leaving: [host] });
    return undefined;
  });
}

export interface ReplaceMembersRequest {
  readonly name: RecordName;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

function parseMembers(texts: readonly string[]): ReadonlySet<Address> | AppError {
  const desired = new Set<Address>();
  const errors = [];
  for (const [index, text] of texts.entries()) {
    const address = parseAddress(text);
    if (address === undefined) errors.push({ path: `/new/${index}`, message: ADDRESS_MESSAGE });
    else desired.add(address);
  }
  return errors.length > 0 ? invalidBody(...errors) : desired;
}

/** Compares sets. An invalid address is a difference. */
function matchesCurrent(old: readonly string[], current: ReadonlySet<Address>): boolean {
  const parsed = new Set(old.map(text => parseAddress(text)));
  return parsed.size === current.size && [...parsed].every(address => address !== undefined && current.has(address));
}

/** Optimistic locking: `old` must match the current members. */
export async function replaceMembers(
  ports: Ports,
  actor: Actor,
  request: ReplaceMembersRequest,
): Promise<readonly Address[] | AppError> {
  if (Math.max(request.old.length, request.new.length) > ports.maxMembersPerReplace) {
    return new AppError(
      'too_many_members',
      `a list can contain at most ${ports.maxMembersPerReplace} addresses (limit_members); change the members in several requests`,
    );
  }
  const desired = parseMembers(request.new);
  if (desired instanceof AppError) return desired;

  return runUnitOfWork(ports, actor, async unit => {
    const { records } = unit;
    const cluster = await records.clusters.lock(request.name);
    if (cluster === undefined) return clusterNotFound(request.name);
    const current = new Set((await records.hosts.listMemberAddresses(cluster.name)).items);
    const operation = await records.operations.lockOpen(cluster.name);
    // Members that stay are not locked.
    const changedHosts = await records.hosts.lockAll([...desired.symmetricDifference(current)]);
    const joining = changedHosts.filter(host => desired.has(host.address));
    const leaving = changedHosts.filter(host => current.has(host.address));
    const foundAddresses = new Set(joining.map(host => host.address));
    const missing = [...desired].filter(address => !current.has(address) && !foundAddresses.has(address));
    if (missing.length > 0)
      return new AppError('not_found', `these hosts do not exist: ${listSome(missing)}; enrol them first`);
    if (!matchesCurrent(request.old, current)) {
      return new AppError(
        'members_changed',
        `old does not match the current members of ${cluster.name}; read the list again and repeat the change`,
      );
    }
    const joinError = checkCanJoin(cluster, joining);
    if (joinError) return joinError;
    const inFlightError = await skipLeavingHosts(unit, operation, leaving);
    if (inFlightError) return inFlightError;
    await changeMembership(unit, cluster, { joining, leaving });
    return sortAddresses(desired);
  });
}
