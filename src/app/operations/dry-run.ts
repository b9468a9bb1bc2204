// What an operation would do, without beginning it. What must hold: no record is made, and no host is asked or changed.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Address } from '../../domain/addresses/address.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { expectedBlockers } from '../../domain/rolling/assess.ts';
import type { Foreseen, Foresight } from '../../domain/rolling/foreseen.ts';
import { ALL_HELD } from '../../domain/rolling/operation.ts';
import type { MemberState, Outage } from '../../domain/rolling/outage.ts';
import { nameHosts } from '../../domain/rolling/outage.ts';
import type { Policy } from '../../domain/rolling/policy.ts';
import { isOpen } from '../../domain/rolling/window.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import type { Ports } from '../ports.ts';
import { kindRefusal } from './kind-refusal.ts';
import { namedControlPlane } from './named-control-plane.ts';
import { planHosts } from './plan-hosts.ts';
import type { OperationRequest } from './start-operation.ts';
import { policyFor } from './start-operation.ts';

export interface DryRunHost extends Foreseen {
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
  /** What keeps it from starting now, and what is not known. */
  readonly detail: string;
}

/** So many hosts are read before others get their turn. */
const HOSTS_AT_A_TIME = 100;

/** As the operation itself would see it, by the records. */
async function memberState(
  { store }: Ports,
  { address, status, maintenance }: Host,
  outages: ReadonlyMap<Address, Outage>,
): Promise<MemberState> {
  // It does not matter for an active host, and most are active.
  const work = status === 'active' ? [] : await store.reads.work.of(address);
  const isSilent = outages.get(address)?.reason === 'unreachable';
  return {
    status,
    isInMaintenance: maintenance !== null,
    awaitsBootstrap: work.some(({ kind }) => kind === 'bootstrap'),
    contact: { answeredAtMs: 0, silentSinceMs: isSilent ? 0 : null, failedAtMs: 0, recentFailures: 0 },
  };
}

async function foreseeHosts(
  ports: Ports,
  members: readonly { readonly address: Address }[],
  {
    controlPlane,
    outages,
    ...plan
  }: Foresight & { readonly controlPlane: readonly Address[]; readonly outages: readonly Outage[] },
): Promise<readonly DryRunHost[]> {
  const { store, foresee } = ports;
  const isNamed = new Set(controlPlane);
  const outageOf = new Map(outages.map(outage => [outage.host, outage]));
  const hosts: DryRunHost[] = [];
  for (const [position, { address }] of members.entries()) {
    const host = await store.reads.hosts.get(address);
    // It may have been removed since the members were read.
    if (host) {
      const state = await memberState(ports, host, outageOf);
      const isControlPlane = isNamed.has(address);
      hosts.push({ host, position, isControlPlane, ...foresee(host, plan, state) });
    }
    if (position % HOSTS_AT_A_TIME === HOSTS_AT_A_TIME - 1) await nextTurn();
  }
  return hosts.sort((one, other) => Number(one.isControlPlane) - Number(other.isControlPlane));
}

/** Why it would not start on any host at this moment. */
async function obstacles({ store, clock }: Ports, cluster: RecordName, { window }: Policy) {
  const { operations, switches, servers } = store.reads;
  const isPartitioned = await servers.isEveryPartitioned(await store.reads.nowMs());
  const running = await operations.openIn(cluster);
  return [
    running ? `${running.kind} ${running.id} runs on ${cluster}: it has to end first` : '',
    (await switches.isHeld()) ? ALL_HELD : '',
    window && !isOpen(window, clock.now()) ? 'the window of the policy is closed now' : '',
    isPartitioned ? 'no server reaches most of its hosts: it waits until they answer again' : '',
  ].filter(text => text !== '');
}

export async function dryRun(ports: Ports, request: OperationRequest): Promise<DryRun | Refusal> {
  const { cluster, kind, version } = request;
  const { reads } = ports.store;
  const policy = await policyFor(reads, request);
  if (policy instanceof Refusal) return policy;
  const notTaken = await kindRefusal(ports, reads, cluster, kind);
  if (notTaken) return notTaken;
  const members = await planHosts(reads, cluster, policy);
  if (members instanceof Refusal) return members;
  const { problem, ...named } = await namedControlPlane(ports, cluster);
  const plan = { kind, cluster, version, policy };
  const serverBootIds = await reads.servers.bootIds();
  const outages = await reads.rollingSnapshots.outages(cluster, await reads.nowMs());
  const { length: memberCount } = await reads.hosts.members(cluster);
  const hosts = await foreseeHosts(ports, members, { ...plan, ...named, outages, serverBootIds });
  const waitsFor = await obstacles(ports, cluster, policy);
  // Hosts that are down now may be back when nothing else keeps it from starting.
  const isAssessed = waitsFor.length === 0 && members.length > 0;
  const blockedBy = isAssessed ? expectedBlockers({ policy, members: memberCount, outages }) : [];
  const inTheWay = [...waitsFor, ...blockedProblem(policy, blockedBy)];
  const detail = [...inTheWay, problem].filter(text => text !== '').join('; ');
  return { ...plan, hosts, wouldStart: inTheWay.length === 0, blockedBy, detail };
}

function blockedProblem(
  { unhealthy, wait, timeouts }: Policy,
  blockedBy: readonly Outage[],
): readonly string[] {
  if (blockedBy.length === 0) return [];
  const hosts = nameHosts(
    blockedBy.map(({ host }) => host),
    blockedBy,
  );
  if (unhealthy === 'exclude') return [`more members are out of service than max_excluded allows: ${hosts}`];
  const then = wait ? `it would wait ${timeouts.readyS} s for them` : 'it would fail at once';
  return [`members that are out of service use up max_unavailable, and ${then}: ${hosts}`];
}
