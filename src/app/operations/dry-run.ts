import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Address } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { expectedBlockers } from '../../domain/rollout/assess-members.ts';
import type { DryRunInput, HostDryRun } from '../../domain/rollout/dry-run.ts';
import { estimateDurationMs } from '../../domain/rollout/estimate-duration.ts';
import { isWindowOpen } from '../../domain/rollout/maintenance-window.ts';
import { GLOBAL_PAUSE_MESSAGE } from '../../domain/rollout/operation.ts';
import type { MemberRecord, Outage } from '../../domain/rollout/outage.ts';
import { describeOutage } from '../../domain/rollout/outage.ts';
import type { Policy } from '../../domain/rollout/policy.ts';
import { resolveHostAmount } from '../../domain/rollout/policy.ts';
import type { OperationKind } from '../../domain/vocabulary.ts';
import { errorMessage } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import type { Ports } from '../ports.ts';
import type { OperationRequest } from './start-operation.ts';
import { checkKindSupported, resolveOperationPolicy, selectHosts } from './start-operation.ts';

/** Short, because a user waits for the response. */
const CONTROL_PLANE_TIMEOUT_MS = 5000;

interface ControlPlaneResult {
  readonly controlPlane: readonly Address[];
  readonly problem: string;
}

async function queryControlPlane(ports: Ports, cluster: RecordName): Promise<ControlPlaneResult> {
  const record = await ports.store.reads.driverRecords.getManager(cluster);
  if (!record) return { controlPlane: [], problem: '' };
  const read = async () => (await ports.openManager(record)).controlPlane();
  try {
    return { controlPlane: await withTimeout(ports.clock, CONTROL_PLANE_TIMEOUT_MS, read), problem: '' };
  } catch (error) {
    const cause = `container manager ${record.name}: ${errorMessage(error)}`;
    return { controlPlane: [], problem: `the control plane nodes are unknown: ${cause}` };
  }
}

interface DryRunHost extends HostDryRun {
  readonly host: Host;
  /** In the plan. Control plane nodes run last regardless of it. */
  readonly position: number;
  readonly isControlPlane: boolean;
}

export interface DryRun {
  readonly kind: OperationKind;
  readonly cluster: RecordName;
  readonly version: string;
  readonly policy: Policy;
  /** In execution order. */
  readonly hosts: readonly DryRunHost[];
  /** Of the cluster. */
  readonly members: number;
  /** `undefined` if the last operation of this kind used no slot, or there is none. */
  readonly estimatedDurationMs: number | undefined;
  /** Whether more hosts would fail in preflight than the policy allows. */
  readonly wouldFail: boolean;
  /** According to the store. */
  readonly wouldStart: boolean;
  readonly blockedBy: readonly Outage[];
  /** Of the hosts and the blocking hosts. */
  readonly hostnames: ReadonlyMap<Address, string>;
  /** Other blockers, and unknown facts. */
  readonly detail: string;
}

const HOSTS_PER_TICK = 100;

async function readMemberRecord({ store }: Ports, { address, status, maintenance }: Host): Promise<MemberRecord> {
  // Tasks matter only for the few hosts that are not active.
  const tasks = status === 'active' ? [] : await store.reads.tasks.list(address);
  return {
    status,
    isInMaintenance: maintenance !== null,
    awaitsBootstrap: tasks.some(({ kind }) => kind === 'bootstrap'),
  };
}

interface DryRunOptions extends DryRunInput {
  readonly controlPlane: readonly Address[];
  readonly excluded: readonly Outage[];
}

async function dryRunHosts(
  ports: Ports,
  members: readonly { readonly address: Address }[],
  { controlPlane, excluded, ...plan }: DryRunOptions,
): Promise<readonly DryRunHost[]> {
  const { store, dryRunHost } = ports;
  const controlPlaneHosts = new Set(controlPlane);
  const exclusions = new Map(excluded.map(outage => [outage.host, outage]));
  const hosts: DryRunHost[] = [];
  for (const [position, { address }] of members.entries()) {
    const host = await store.reads.hosts.get(address);
    // Removed since the members were read.
    if (host) {
      const outage = exclusions.get(address);
      const result = outage ? dryRunExcludedHost(outage) : dryRunHost(host, plan, await readMemberRecord(ports, host));
      hosts.push({ host, position, isControlPlane: controlPlaneHosts.has(address), ...result });
    }
    if (position % HOSTS_PER_TICK === HOSTS_PER_TICK - 1) await yieldToEventLoop();
  }
  return hosts.sort((left, right) => Number(left.isControlPlane) - Number(right.isControlPlane));
}

const dryRunExcludedHost = (outage: Outage): HostDryRun => ({
  commands: [],
  problem: `unhealthy: the host would be skipped: ${describeOutage(outage)}`,
  isExpectedToFail: false,
});

async function findBlockers({ store, clock }: Ports, cluster: RecordName, { window }: Policy) {
  const { operations, serviceFlags, servers } = store.reads;
  const isPartitioned = await servers.areAllPartitioned(await store.reads.nowMs());
  const running = await operations.getOpen(cluster);
  return [
    running ? `the ${running.kind} ${running.id} is running on ${cluster} and must end first` : '',
    (await serviceFlags.isGloballyPaused()) ? GLOBAL_PAUSE_MESSAGE : '',
    window && !isWindowOpen(window, clock.now()) ? 'the time window of the policy is closed' : '',
    isPartitioned ? 'no server can reach most of its hosts; the operation waits until they respond again' : '',
  ].filter(text => text !== '');
}

/** Empty if the policy tolerates the failures. */
function describeFailures({ maxFailures }: Policy, failures: number, hosts: number): string {
  const limit = resolveHostAmount(maxFailures, hosts, { atLeast: 0 });
  if (failures <= limit) return '';
  const count = failures === 1 ? '1 host' : `${failures} hosts`;
  return `${count} would fail in preflight, and max_failures allows ${limit}`;
}

/** Enough for a median. */
const MAX_EARLIER_HOSTS = 100;

interface EstimatedPlan {
  readonly kind: OperationKind;
  readonly cluster: RecordName;
  readonly policy: Policy;
  readonly members: number;
  readonly hosts: readonly HostDryRun[];
  /** They use slots during the whole operation. */
  readonly outages: readonly Outage[];
}

/** From the hosts that are done in the last operation of this kind that finished on the cluster. */
async function estimateDuration({ store }: Ports, { kind, cluster, policy, members, ...plan }: EstimatedPlan) {
  const { operations, operationHosts } = store.reads;
  const filter = { cluster, kind, status: 'finished' } as const;
  const [earlier] = (await operations.list(filter, { limit: 1 })).items;
  const done = earlier === undefined ? [] : await operationHosts.listByPhase(earlier.id, ['done']);
  const limit = resolveHostAmount(policy.maxUnavailable, members, { atLeast: 1 });
  const usedByOutages = policy.unhealthy === 'exclude' ? 0 : plan.outages.filter(({ isPlanned }) => !isPlanned).length;
  const rollout = {
    hosts: plan.hosts.filter(({ problem }) => problem === '').length,
    slots: Math.max(1, limit - usedByOutages),
    canary: policy.canary,
    ramp: policy.ramp,
  };
  const extraHealthyS = Math.max(0, policy.minHealthyS - (earlier?.policy.minHealthyS ?? 0));
  return estimateDurationMs(done.slice(0, MAX_EARLIER_HOSTS), rollout, extraHealthyS * 1000);
}

export async function dryRun(ports: Ports, request: OperationRequest): Promise<DryRun | AppError> {
  const { cluster, kind, version } = request;
  const { reads } = ports.store;
  const policy = await resolveOperationPolicy(reads, request);
  if (policy instanceof AppError) return policy;
  const kindError = await checkKindSupported(ports, reads, cluster, kind);
  if (kindError) return kindError;
  const members = await selectHosts(reads, cluster, policy);
  if (members instanceof AppError) return members;
  const { problem: controlPlaneProblem, ...controlPlane } = await queryControlPlane(ports, cluster);
  const plan = { kind, cluster, version, policy };
  const serverBootIds = await reads.servers.listBootIds();
  const selectedHosts = new Set(members.map(({ address }) => address));
  const outages = (await reads.rolloutSnapshots.listOutages(cluster)).map(outage => ({
    ...outage,
    isPlanned: selectedHosts.has(outage.host),
  }));
  const { length: memberCount } = await reads.hosts.listMembers(cluster);
  const blockers = await findBlockers(ports, cluster, policy);
  // Hosts that are down now may be up again when the other blockers are gone.
  const isAssessed = blockers.length === 0 && members.length > 0;
  const blockedBy = isAssessed ? expectedBlockers({ policy, members: memberCount, outages }) : [];
  const isExcluding = policy.unhealthy === 'exclude' && blockedBy.length === 0;
  const excluded = isExcluding ? outages.filter(({ isConfirmed }) => isConfirmed) : [];
  const hosts = await dryRunHosts(ports, members, { ...plan, ...controlPlane, excluded, serverBootIds });
  const expectedFailures = hosts.filter(({ isExpectedToFail }) => isExpectedToFail).length;
  const isUnblocked = blockers.length + blockedBy.length === 0;
  const failures = isUnblocked ? describeFailures(policy, expectedFailures, hosts.length) : '';
  const detail = [...blockers, failures, controlPlaneProblem].filter(text => text !== '').join('; ');
  const wouldFail = failures !== '';
  const named = new Set([...members.map(({ address }) => address), ...blockedBy.map(({ host }) => host)]);
  const hostnames = await reads.hosts.getHostnames([...named]);
  const estimatedDurationMs = await estimateDuration(ports, {
    kind,
    cluster,
    policy,
    members: memberCount,
    hosts,
    outages,
  });
  const assessment = {
    members: memberCount,
    wouldFail,
    estimatedDurationMs,
    wouldStart: isUnblocked,
    blockedBy,
    detail,
  };
  return { ...plan, hosts, ...assessment, hostnames };
}
