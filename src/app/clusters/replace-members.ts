import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress, sortAddresses } from '../../domain/addresses/address.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { someOf } from '../../lib/text/some-of.ts';
import { change } from '../change.ts';
import { leaveOperation } from '../operations/in-operation.ts';
import type { Ports } from '../ports.ts';
import { changeMembership, joinProblem } from './change-membership.ts';
import { unknownCluster } from './read-clusters.ts';

export interface ReplaceMembers {
  readonly name: RecordName;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

function parseWanted(texts: readonly string[]): ReadonlySet<Address> | AppError {
  const wanted = new Set<Address>();
  const errors = [];
  for (const [index, text] of texts.entries()) {
    const address = parseAddress(text);
    if (address === undefined) errors.push({ path: `/new/${index}`, message: ADDRESS_MESSAGE });
    else wanted.add(address);
  }
  return errors.length > 0 ? invalidBody(...errors) : wanted;
}

/** Whether the caller's list is the current one, as sets. An entry that is no address simply differs. */
function isCurrent(old: readonly string[], current: ReadonlySet<Address>): boolean {
  const known = new Set(old.map(text => parseAddress(text)));
  return (
    known.size === current.size && [...known].every(address => address !== undefined && current.has(address))
  );
}

/** Replaces the members of a cluster, if the caller knows the current ones. Answers the new list. */
export async function replaceMembers(
  ports: Ports,
  actor: Actor,
  request: ReplaceMembers,
): Promise<readonly Address[] | AppError> {
  if (Math.max(request.old.length, request.new.length) > ports.limits.membersPerReplace) {
    return new AppError(
      'too_many_members',
      `a list can contain at most ${ports.limits.membersPerReplace} addresses (limit_members); change the members in several requests`,
    );
  }
  const wanted = parseWanted(request.new);
  if (wanted instanceof AppError) return wanted;

  return change(ports, actor, async under => {
    const { records } = under;
    const cluster = await records.clusters.lock(request.name);
    if (cluster === undefined) return unknownCluster(request.name);
    const current = new Set((await records.hosts.memberAddresses(cluster.name)).items);
    const operation = await records.operations.lockOpenIn(cluster.name);
    // Those that stay are not touched: only the others are locked.
    const touched = await records.hosts.lockAll([...wanted.symmetricDifference(current)]);
    const joining = touched.filter(host => wanted.has(host.address));
    const leaving = touched.filter(host => current.has(host.address));
    const found = new Set(joining.map(host => host.address));
    const missing = [...wanted].filter(address => !current.has(address) && !found.has(address));
    if (missing.length > 0)
      return new AppError('not_found', `these hosts do not exist: ${someOf(missing)}; enrol them first`);
    if (!isCurrent(request.old, current)) {
      return new AppError(
        'members_changed',
        `old does not match the current members of ${cluster.name}; read the list again and repeat the change`,
      );
    }
    const problem = joinProblem(cluster, joining);
    if (problem) return problem;
    const inFlight = await leaveOperation(under, operation, leaving);
    if (inFlight) return inFlight;
    await changeMembership(under, cluster, { joining, leaving });
    return sortAddresses(wanted);
  });
}
