// What an operation would do, without beginning it. What must hold: no record is made, and no host is asked or changed.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Address } from '../../domain/addresses/address.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Foreseen, Foresight } from '../../domain/rolling/foreseen.ts';
import { ALL_HELD } from '../../domain/rolling/operation.ts';
import type { Policy } from '../../domain/rolling/policy.ts';
import type { MemberState } from '../../domain/rolling/snapshot.ts';
import { byTurn, isDown, isUntouchable } from '../../domain/rolling/snapshot.ts';
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
  /** Its place in the order that the policy asks for. */
  readonly position: number;
  readonly isControlPlane: boolean;
  /** It is down, and may be touched: it goes before those that are not. */
  readonly isDown: boolean;
}

export interface DryRun {
  readonly kind: OperationKind;
  readonly cluster: RecordName;
  readonly version: string;
  readonly policy: Policy;
  /** In the order in which they would go. */
  readonly hosts: readonly DryRunHost[];
  /** What keeps it from starting now, and what is not known. */
  readonly detail: string;
}

/** So many hosts are read before others get their turn. */
const HOSTS_AT_A_TIME = 100;

/** As the operation itself would see it. */
async function memberState({ store }: Ports, { address, status, maintenance }: Host): Promise<MemberState> {
  // Of one that is active it does not matter, and most are.
  const work = status === 'active' ? [] : await store.reads.work.of(address);
  return {
    status,
    isInMaintenance: maintenance !== null,
    awaitsBootstrap: work.some(({ kind }) => kind === 'bootstrap'),
  };
}

async function foreseeHosts(
  ports: Ports,
  members: readonly { readonly address: Address }[],
  { controlPlane, ...plan }: Foresight & { readonly controlPlane: readonly Address[] },
): Promise<readonly DryRunHost[]> {
  const { store, foresee } = ports;
  const isNamed = new Set(controlPlane);
  const hosts: DryRunHost[] = [];
  for (const [position, { address }] of members.entries()) {
    const host = await store.reads.hosts.get(address);
    // It may have been removed since the members were read.
    if (host) {
      const state = await memberState(ports, host);
      const isControlPlane = isNamed.has(address);
      // What it may not touch has its place in the order until it may.
      const turn = { position, isControlPlane, isDown: isDown(state) && !isUntouchable(state) };
      hosts.push({ host, ...turn, ...foresee(host, plan, state) });
    }
    if (position % HOSTS_AT_A_TIME === HOSTS_AT_A_TIME - 1) await nextTurn();
  }
  return hosts.sort(byTurn);
}

/** Why it would not start on any host at this moment. */
async function obstacles({ store, clock }: Ports, cluster: RecordName, { window }: Policy) {
  const { operations, switches } = store.reads;
  const running = await operations.openIn(cluster);
  return [
    running ? `${running.kind} ${running.id} runs on ${cluster}: it has to end first` : '',
    (await switches.isHeld()) ? ALL_HELD : '',
    window && !isOpen(window, clock.now()) ? 'the window of the policy is closed now' : '',
  ];
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
  const hosts = await foreseeHosts(ports, members, { ...plan, ...named, serverBootIds });
  const detail = [...(await obstacles(ports, cluster, policy)), problem].filter(text => text !== '');
  return { ...plan, hosts, detail: detail.join('; ') };
}
