import { addMember, removeMember } from '../../../../src/app/clusters/change-members.ts';
import { driverMemoryScope } from '../../../../src/app/driver-records/manage-driver-records.ts';
import { setMaintenance } from '../../../../src/app/hosts/manage-hosts.ts';
import { acceptHostKey, rebootstrapHost } from '../../../../src/app/hosts/rebootstrap-host.ts';
import {
  cancelOperation,
  pauseOperation,
  resumeOperation,
  setGlobalPause,
} from '../../../../src/app/operations/control-operation.ts';
import { retryHosts, skipHosts } from '../../../../src/app/operations/retry-and-skip-hosts.ts';
import { startOperation } from '../../../../src/app/operations/start-operation.ts';
import { LOCAL_ACTOR } from '../../../../src/domain/accounts/account.ts';
import type { Address } from '../../../../src/domain/addresses/address.ts';
import { AppError } from '../../../../src/domain/errors.ts';
import { hostKeyFingerprint } from '../../../../src/domain/hosts/host-key.ts';
import { policyInputJson } from '../../../../src/store/repositories/operations/operation-rows.ts';
import type { SimulatedServerFault } from '../../../harness/simulation/server-control.ts';
import type { Server } from '../../../harness/simulation/simulation-environment.ts';
import type { Action, HostSelection, OperationRequest } from './history.ts';
import { failedIn } from './invariants/failures.ts';
import type { OperationRow } from './stored-state.ts';
import { isOpen } from './stored-state.ts';
import type { TestCluster } from './test-cluster.ts';
import { addressOf, CLUSTER, MANAGER } from './test-cluster.ts';

type Named<Variant, Type> = Variant extends { type: infer Names } ? (Type extends Names ? Variant : never) : never;
type ActionOf<Type extends Action['type']> = Named<Action, Type>;
type Handlers = {
  readonly [Type in Action['type']]: (cluster: TestCluster, action: ActionOf<Type>) => unknown;
};

const ADMIN = 'admin';

export async function requestOperation(
  cluster: TestCluster,
  { kind, version, policy }: OperationRequest,
): Promise<void> {
  const { simulation, monitor } = cluster;
  const request = { cluster: CLUSTER, kind, version, policyInput: policy, idempotencyKey: null };
  const result = await startOperation(simulation.ports, LOCAL_ACTOR, request);
  if (result instanceof AppError) return;
  cluster.operation = result.record.id;
  monitor.acknowledged.operations.add(cluster.operation);
}

const currentOperation = ({ monitor, operation }: TestCluster): OperationRow | undefined =>
  monitor.state.operations.find(({ id }) => id === operation);

/** The server may reject any request. Only an accepted one changes the promised state. */
async function control(
  cluster: TestCluster,
  verb: typeof pauseOperation,
  accepted: (id: string) => void,
): Promise<void> {
  const id = cluster.operation;
  const result = await verb(cluster.simulation.ports, LOCAL_ACTOR, id);
  if (!(result instanceof AppError)) accepted(id);
}

/**
 * Runs a request that continues an operation despite its failures. If the server accepts it, the current
 * failures are accepted.
 */
async function acceptFailures(cluster: TestCluster, request: () => Promise<boolean>): Promise<void> {
  const { acknowledged } = cluster.monitor;
  const id = cluster.operation;
  const acceptedBefore = acknowledged.acceptedFailures.get(id) ?? new Set();
  acknowledged.accepting = id;
  const isAccepted = await request();
  await cluster.monitor.check();
  acknowledged.accepting = undefined;
  if (!isAccepted) acknowledged.acceptedFailures.set(id, acceptedBefore);
}

function selectHosts({ monitor, operation }: TestCluster, hosts: HostSelection): readonly Address[] | undefined {
  if (hosts === 'failed') return undefined;
  if (hosts === 'first failed') return failedIn(monitor.state, { id: operation }).slice(0, 1);
  return hosts.map(index => addressOf(index));
}

async function retry(cluster: TestCluster, { hosts, exclude = [] }: ActionOf<'retry'>): Promise<void> {
  const { simulation, monitor, operation: id } = cluster;
  const addresses = selectHosts(cluster, hosts);
  if (addresses?.length === 0) return;
  const excluded = exclude.map(index => addressOf(index));
  for (const host of excluded) monitor.acknowledged.ignorable.add(`${id} ${host}`);
  await retryHosts(simulation.ports, LOCAL_ACTOR, { id, hosts: addresses, exclude: excluded });
}

/** Returns true if the server accepted the request. */
async function skip(cluster: TestCluster, { hosts }: ActionOf<'skip'>): Promise<boolean> {
  const { simulation, monitor, operation: id } = cluster;
  const { acknowledged, state } = monitor;
  const addresses = selectHosts(cluster, hosts);
  if (addresses?.length === 0) return false;
  for (const host of addresses ?? failedIn(state, { id })) acknowledged.ignorable.add(`${id} ${host}`);
  const result = await skipHosts(simulation.ports, LOCAL_ACTOR, { id, hosts: addresses });
  if (result instanceof AppError) return false;
  for (const host of addresses ?? []) acknowledged.skipped.add(`${id} ${host}`);
  return true;
}

async function cordonByAdmin(cluster: TestCluster, address: Address, mark: string | undefined): Promise<void> {
  const { simulation, monitor, setup } = cluster;
  if (!monitor.state.nodes.has(address)) return;
  monitor.acknowledged.isCordoning = true;
  if (setup.manager === 'simulated') simulation.manager.node(address).cordonedBy = mark;
  else {
    const scope = driverMemoryScope('container_manager', MANAGER);
    await simulation.store.transaction(async ({ driverMemory }) => {
      const current = await driverMemory.get(scope, address);
      if (current)
        await driverMemory.compareAndSet(scope, address, current, mark ? `cordoned by ${mark}` : 'registered');
    });
  }
  await monitor.check();
  monitor.acknowledged.isCordoning = false;
}

/** The server that a fault affects. */
const SELECTED_SERVER: Readonly<Record<SimulatedServerFault, (cluster: TestCluster) => Server | undefined>> = {
  kill_server: ({ responsiveServers }) => responsiveServers.at(0),
  freeze_server: ({ responsiveServers }) => responsiveServers.at(-1),
  cut_hosts: ({ liveServers }) => liveServers.findLast(({ control }) => !control.has('cut_hosts')),
  cut_store: ({ responsiveServers }) => responsiveServers.at(0),
};

const HANDLERS: Handlers = {
  'add fault': ({ simulation }, { host, fault }) => simulation.fleet.host(addressOf(host)).addFault(fault),
  'clear faults': ({ simulation }, { host }) => simulation.fleet.host(addressOf(host)).clearFaults(),
  'replay reboot': ({ monitor }, { host }) => monitor.replayReboot(addressOf(host)),
  power: ({ simulation }, { host, isOn }) => {
    const machine = simulation.fleet.host(addressOf(host));
    if (isOn) machine.powerOn();
    else machine.powerOff();
  },
  inject: (cluster, action) => {
    const { fault } = action;
    if (fault === 'fail_manager') {
      cluster.simulation.managerFaults(MANAGER).inject(fault);
      cluster.monitor.acknowledged.managerDownUntilMs = Number.POSITIVE_INFINITY;
      return;
    }
    const servers = 'servers' in action ? cluster.liveServers : [SELECTED_SERVER[fault](cluster)];
    for (const server of servers) server?.control.inject(fault, 'times' in action ? { times: action.times } : {});
  },
  revert: async (cluster, { fault }) => {
    const { simulation, monitor, responsiveServers, setup } = cluster;
    if (fault === 'fail_manager') {
      simulation.managerFaults(MANAGER).revert(fault);
      const { acknowledged } = monitor;
      acknowledged.managerDownUntilMs = Math.min(acknowledged.managerDownUntilMs, simulation.clock.now());
    } else if (fault !== 'kill_server') for (const { control } of simulation.servers) control.revert(fault);
    else if (responsiveServers.length < setup.servers) await cluster.startServer();
  },
  join: ({ simulation }, { host }) => addMember(simulation.ports, LOCAL_ACTOR, CLUSTER, addressOf(host)),
  leave: ({ simulation, monitor, operation }, { host }) => {
    const address = host === 'first failed' ? failedIn(monitor.state, { id: operation })[0] : addressOf(host);
    return address && removeMember(simulation.ports, LOCAL_ACTOR, CLUSTER, address);
  },
  remove: ({ simulation }, { host }) => simulation.remove(addressOf(host)),
  enrol: async ({ simulation }, { host }) => {
    const address = addressOf(host);
    if ((await simulation.host(address)) === undefined) await simulation.enrol(address, { cluster: CLUSTER });
  },
  bootstrap: ({ simulation }, { host }) => rebootstrapHost(simulation.ports, LOCAL_ACTOR, addressOf(host)),
  'accept key': async ({ simulation }, { host }) => {
    const address = addressOf(host);
    const access = await simulation.store.reads.hostAccess.get(address);
    if (access?.pendingHostKey) {
      const fingerprint = hostKeyFingerprint(access.pendingHostKey);
      await acceptHostKey(simulation.ports, LOCAL_ACTOR, { address, fingerprint });
    }
  },
  maintenance: ({ simulation }, { host, isOn: on }) =>
    setMaintenance(simulation.ports, LOCAL_ACTOR, { address: addressOf(host), on, reason: '' }),
  pause: cluster => control(cluster, pauseOperation, id => cluster.monitor.acknowledged.pausedByHand.add(id)),
  resume: async cluster => {
    const { pausedByHand } = cluster.monitor.acknowledged;
    const resume = async () => {
      let isAccepted = false;
      await control(cluster, resumeOperation, id => {
        pausedByHand.delete(id);
        isAccepted = true;
      });
      return isAccepted;
    };
    const pause = currentOperation(cluster)?.pause_reason ?? '';
    if (pause === 'partitioned') cluster.monitor.acknowledged.isPartitionOverruled = true;
    if (['manual', 'budget', 'partitioned'].includes(pause)) await resume();
    else await acceptFailures(cluster, resume);
  },
  cancel: cluster => control(cluster, cancelOperation, id => cluster.monitor.acknowledged.cancelled.add(id)),
  'pause all': async ({ simulation, monitor }) => {
    monitor.acknowledged.isGloballyPaused = await setGlobalPause(simulation.ports, LOCAL_ACTOR, true);
  },
  'resume all': async ({ simulation, monitor }) => {
    // Operations can start hosts before the last of them is resumed.
    monitor.acknowledged.isGloballyPaused = false;
    await setGlobalPause(simulation.ports, LOCAL_ACTOR, false);
  },
  retry: async (cluster, action) => {
    const { acknowledged } = cluster.monitor;
    const operation = currentOperation(cluster);
    // An operation that ended while it was paused is no longer paused.
    if (operation === undefined || !isOpen(operation)) acknowledged.pausedByHand.delete(cluster.operation);
    acknowledged.isRetrying = true;
    await retry(cluster, action);
    acknowledged.isRetrying = false;
  },
  skip: async (cluster, action) => {
    // Skipping a host of an operation that is paused for its failures resumes it with the remaining failures.
    if (currentOperation(cluster)?.pause_reason === 'failures')
      await acceptFailures(cluster, () => skip(cluster, action));
    else await skip(cluster, action);
  },
  'repeat request': async cluster => {
    const before = currentOperation(cluster);
    if (before === undefined || !isOpen(before)) return;
    const { id, kind, version, policy_input_json } = before;
    await requestOperation(cluster, { kind, version, policy: policyInputJson.parse(policy_input_json) });
    if (cluster.operation !== id) cluster.monitor.violation ??= 'the same request has started another operation';
  },
  request: (cluster, { request }) => requestOperation(cluster, request),
  'add pod': ({ simulation, monitor }, { host, pod }) => {
    const address = addressOf(host);
    if (monitor.state.nodes.has(address)) simulation.manager.node(address).pods.add(pod);
  },
  'admin cordon': (cluster, { host }) => cordonByAdmin(cluster, addressOf(host), ADMIN),
  'admin uncordon': (cluster, { host }) => cordonByAdmin(cluster, addressOf(host), undefined),
};

export async function runAction(cluster: TestCluster, action: Action): Promise<void> {
  const handler = HANDLERS[action.type] as (cluster: TestCluster, action: Action) => unknown;
  await handler(cluster, action);
  await cluster.monitor.check();
}
