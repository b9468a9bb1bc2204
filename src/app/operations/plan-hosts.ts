import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { parseLabelFilter } from '../../domain/hosts/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Policy } from '../../domain/rollout/policy.ts';
import { someOf } from '../../lib/text/some-of.ts';
import type { Reads } from '../../store/records.ts';

type Member = Pick<Host, 'address' | 'enrolment'>;

/** Those that the policy names come first, in its order; the others follow as they are. */
function inOrder(members: readonly Member[], { order }: Policy): readonly Member[] {
  if (order === 'address') return members;
  const places = new Map(order.map((address, place) => [address, place]));
  const placeOf = ({ address }: Member) => places.get(address) ?? Number.POSITIVE_INFINITY;
  return members.toSorted((one, other) =>
    placeOf(one) < placeOf(other) ? -1 : Number(placeOf(one) > placeOf(other)),
  );
}

/** Hosts that are already down go first: working on them takes nothing else out of service. */
function downFirst(members: readonly Member[], down: ReadonlySet<Address>): readonly Member[] {
  return members.toSorted((one, other) => Number(down.has(other.address)) - Number(down.has(one.address)));
}

/** The current members of a cluster that an operation is for, in its order. */
export async function planHosts(
  reads: Pick<Reads, 'hosts' | 'hostLabels' | 'rollingSnapshots'>,
  cluster: RecordName,
  policy: Policy,
): Promise<readonly Member[] | AppError> {
  const members = await reads.hosts.members(cluster);
  const known = new Set<Address>(members.map(member => member.address));
  const named = [...(policy.hosts ?? []), ...(policy.order === 'address' ? [] : policy.order)];
  const strangers = named.filter(address => !known.has(address));
  if (strangers.length > 0)
    return new AppError(
      'not_a_member',
      `these hosts are not members of the cluster ${cluster}: ${someOf(strangers)}`,
    );
  const chosen = policy.hosts && new Set(policy.hosts);
  let selected = members.filter(({ address }) => chosen === null || chosen.has(address));
  for (const label of policy.labels) {
    const carriers = new Set(await reads.hostLabels.carriers(cluster, parseLabelFilter(label)));
    selected = selected.filter(({ address }) => carriers.has(address));
  }
  const down = new Set(await reads.rollingSnapshots.downMembers(cluster));
  return downFirst(inOrder(selected, policy), down);
}
