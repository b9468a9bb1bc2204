// What an operation would do, without beginning it. What must hold: no record is made, and no host is asked or changed.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { expectedBlockers } from '../../domain/rollout/assess-members.ts';
import type { DryRunInput, HostDryRun } from '../../domain/rollout/dry-run.ts';
import { isWindowOpen } from '../../domain/rollout/maintenance-window.ts';
import { GLOBAL_PAUSE_MESSAGE } from '../../domain/rollout/operation.ts';
import type { MemberRecord, Outage } from '../../domain/rollout/outage.ts';
import { describeOutage } from '../../domain/rollout/outage.ts';
import type { Policy } from '../../domain/rollout/policy.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { Ports } from '../ports.ts';
import { kindRefusal } from './kind-refusal.ts';
import { namedControlPlane } from './named-control-plane.ts';
import { planHosts } from './plan-hosts.ts';
import type { OperationRequest } from './start-operation.ts';
import { policyFor } from './start-operation.ts';

export interface DryRunHost extends HostDryRun {
  readonly host: Host;
  /** Its place in the plan. The control plane goes last, wherever its place is. */
  readonly position: number;
  readonly isControlPlane: boolean;
}

export interface DryRun {
  readonly kind: OperationKind;
  readonly cluster: RecordName;
  readonly version: string;
  readonly policy: Policy;
  /** In the order in which they would go. */
  readonly hosts: readonly DryRunHost[];
  /** Whether it would start on a host now, as far as the records show. */
  readonly wouldStart: boolean;
  /** Members that are out of service and keep it from starting. */
  readonly blockedBy: readonly Outage[];
  /** What else keeps it from starting now, and what is not known. */
  readonly detail: string;
}

/** So many hosts are read before others get their turn. */
const HOSTS_AT_A_TIME = 100;

/** As the operation itself would see it. */
async function memberRecord({ store }: Ports, { address, status, maintenance }: Host): Promise<MemberRecord> {
  // It does not matter for an active host, and most are active.
  const work = status === 'active' ? [] : await store.reads.work.of(address);
  return {
    status,
    isInMaintenance: maintenance !== null,
    awaitsBootstrap: work.some(({ kind }) => kind === 'bootstrap'),
  };
}

interface Forecast extends DryRunInput {
  readonly controlPlane: readonly Address[];
  /** Members that would be excluded as unhealthy. */
  readonly excluded: readonly Outage[];
}

async function foreseeHosts(
  ports: Ports,
  members: readonly { readonly address: Address }[],
  { controlPlane, excluded, ...plan }: Forecast,
): Promise<readonly DryRunHost[]> {
  const { store, foresee } = ports;
  const isNamed = new Set(controlPlane);
  const exclusionOf = new Map(excluded.map(outage => [outage.host, outage]));
  const hosts: DryRunHost[] = [];
  for (const [position, { address }] of members.entries()) {
    const host = await store.reads.hosts.get(address);
    // It may have been removed since the members were read.
    if (host) {
      const outage = exclusionOf.get(address);
      const foreseen = outage
        ? foreseeExclusion(outage)
        : foresee(host, plan, await memberRecord(ports, host));
      hosts.push({ host, position, isControlPlane: isNamed.has(address), ...foreseen });
    }
    if (position % HOSTS_AT_A_TIME === HOSTS_AT_A_TIME - 1) await nextTurn();
  }
  return hosts.sort((one, other) => Number(one.isControlPlane) - Number(other.isControlPlane));
}

const foreseeExclusion = (outage: Outage): HostDryRun => ({
  commands: [],
  problem: `unhealthy: the host would be skipped: ${describeOutage(outage)}`,
});

/** Why it would not start on any host at this moment. */
async function obstacles({ store, clock }: Ports, cluster: RecordName, { window }: Policy) {
  const { operations, switches, servers } = store.reads;
  const isPartitioned = await servers.isEveryPartitioned(await store.reads.nowMs());
  const running = await operations.openIn(cluster);
  return [
    running ? `the ${running.kind} ${running.id} is running on ${cluster} and must end first` : '',
    (await switches.isHeld()) ? GLOBAL_PAUSE_MESSAGE : '',
    window && !isWindowOpen(window, clock.now()) ? 'the time window of the policy is closed' : '',
    isPartitioned
      ? 'no server can reach most of its hosts; the operation waits until they respond again'
      : '',
  ].filter(text => text !== '');
}

export async function dryRun(ports: Ports, request: OperationRequest): Promise<DryRun | AppError> {
  const { cluster, kind, version } = request;
  const { reads } = ports.store;
  const policy = await policyFor(reads, request);
  if (policy instanceof AppError) return policy;
  const notTaken = await kindRefusal(ports, reads, cluster, kind);
  if (notTaken) return notTaken;
  const members = await planHosts(reads, cluster, policy);
  if (members instanceof AppError) return members;
  const { problem, ...named } = await namedControlPlane(ports, cluster);
  const plan = { kind, cluster, version, policy };
  const serverBootIds = await reads.servers.bootIds();
  const planned = new Set(members.map(({ address }) => address));
  const outages = (await reads.rollingSnapshots.outages(cluster)).map(outage => ({
    ...outage,
    isPlanned: planned.has(outage.host),
  }));
  const { length: memberCount } = await reads.hosts.members(cluster);
  const waitsFor = await obstacles(ports, cluster, policy);
  // Hosts that are down now may be back when nothing else keeps it from starting.
  const isAssessed = waitsFor.length === 0 && members.length > 0;
  const blockedBy = isAssessed ? expectedBlockers({ policy, members: memberCount, outages }) : [];
  const isExcluding = policy.unhealthy === 'exclude' && blockedBy.length === 0;
  const excluded = isExcluding ? outages.filter(({ isConfirmed }) => isConfirmed) : [];
  const hosts = await foreseeHosts(ports, members, { ...plan, ...named, excluded, serverBootIds });
  const detail = [...waitsFor, problem].filter(text => text !== '').join('; ');
  const wouldStart = waitsFor.length + blockedBy.length === 0;
  return { ...plan, hosts, wouldStart, blockedBy, detail };
}
