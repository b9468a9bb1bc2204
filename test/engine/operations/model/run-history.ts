import type { TimerClock } from '../../../../src/lib/time/clock.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';
import { Simulation } from '../../../harness/simulation/simulation.ts';
import type { SimulationOptions } from '../../../harness/simulation/simulation-options.ts';
import { MINUTE } from '../../../harness/simulation/simulation-options.ts';
import { requestOperation, runAction } from './actions.ts';
import type { Action, Event, History, Setup } from './history.ts';
import { InvariantMonitor } from './invariant-monitor.ts';
import { END_INVARIANTS } from './invariants/end-state.ts';
import { isInFlight, isOpen, isPreparing, plannedIn } from './stored-state.ts';
import { addressOf, CLUSTER, MANAGER, TestCluster } from './test-cluster.ts';

/** A long lease needs fewer heartbeats, which makes histories faster. */
const SETTINGS = { leaseMs: (3 * MINUTE) / 4 };
const READY = ['active', 'disassociated'];
/** Covers all phases of all hosts, one after the other, and the wait for blocking hosts. */
const MAX_MS = 2 * 60 * MINUTE;

export interface Environment {
  readonly store: ReusedStore;
  readonly options?: SimulationOptions;
  /** Replaces the store that servers and clients use. */
  readonly wrapStore?: (store: Store) => Store;
  /** Called at each commit of a server or a client. */
  readonly onCommit?: () => void;
  /** Called when the history has ended, before the simulation stops. */
  readonly onEnd?: (cluster: TestCluster) => void;
}

/** Creates everything that exists before the first server starts and the first request is sent. */
export async function createCluster(
  { store, options, wrapStore = opened => opened, onCommit }: Environment,
  setup: Setup,
): Promise<TestCluster> {
  const monitor = new InvariantMonitor(store);
  let opened: Promise<Store> | undefined;
  const open = (clock: TimerClock) => {
    const check = async () => {
      await monitor.check();
      onCommit?.();
    };
    opened ??= store.reset(clock, check).then(wrapStore);
    return opened;
  };
  const simulation = await Simulation.create(open, {
    ...options,
    settings: { ...SETTINGS, ...options?.settings },
  });
  const cluster = new TestCluster(simulation, monitor, setup);
  await simulation.makeCluster(CLUSTER, setup.manager === 'none' ? undefined : { name: MANAGER, type: setup.manager });
  simulation.manager.controlPlane = setup.controlPlane.map(index => addressOf(index));
  const { control } = await simulation.startServer();
  for (const [index, os] of cluster.systems.entries())
    await simulation.enrolHosts(
      [addressOf(index)],
      { os, bootMs: setup.bootMs },
      index < setup.members.length ? { cluster: CLUSTER } : {},
    );
  await monitor.start(simulation);
  const isReady = () => monitor.state.hosts.every(({ status }) => READY.includes(status));
  await simulation.clock.advanceUntil(isReady, 5 * MINUTE);
  control.inject('kill_server');
  simulation.manager.bootDelays = setup.bootDelays;
  for (const host of setup.cordoned) await runAction(cluster, { type: 'admin cordon', host });
  for (const { host, pod } of setup.pods) await runAction(cluster, { type: 'add pod', host, pod });
  return cluster;
}

/**
 * Advances the clock until the condition holds or the time is up. Starts the next server when all servers
 * have crashed.
 */
export async function advanceUntil(cluster: TestCluster, condition: () => boolean, withinMs: number): Promise<boolean> {
  const { simulation, monitor } = cluster;
  const { clock } = simulation;
  const untilMs = clock.monotonicMs() + withinMs;
  clock.setTimer(withinMs, () => {});
  for (;;) {
    const isTimeUp = () => clock.monotonicMs() >= untilMs;
    const isEnough = () => monitor.violation !== undefined || isTimeUp() || condition();
    await clock.advanceUntil(() => cluster.needsServer || isEnough(), untilMs - clock.monotonicMs());
    if (isEnough()) return condition();
    await cluster.startServer();
  }
}

/** Returns true if the operation has ended or waits for an administrator. */
function hasStopped({ monitor: { state } }: TestCluster, id: string): boolean {
  const operation = state.operations.find(candidate => candidate.id === id);
  if (operation === undefined || !isOpen(operation)) return true;
  // A partition ends by itself, because all faults are cleared at this point.
  if (operation.state !== 'paused' || operation.pause_reason === 'partitioned') return false;
  return !plannedIn(state, operation).some(row => isInFlight(row) || isPreparing(row));
}

/** Clears all faults and waits until every operation has ended. */
async function endOperations(cluster: TestCluster): Promise<string | undefined> {
  const { simulation, monitor, setup } = cluster;
  for (const host of simulation.fleet.hosts) {
    host.clearFaults();
    host.powerOn();
  }
  await runAction(cluster, { type: 'revert', fault: 'fail_manager' });
  await runAction(cluster, { type: 'resume all' });
  for (const host of cluster.systems.keys()) await runAction(cluster, { type: 'maintenance', host, isOn: false });
  cluster.killAllServers();
  for (let count = 0; count < setup.servers; count += 1) await cluster.startServer();
  for (const { id } of monitor.state.operations) {
    const found = await endOperation(cluster, id);
    if (found) return found;
  }
  return undefined;
}

/**
 * Waits for an operation. If it stops before it is finished, clients send the final requests and then cancel
 * it.
 */
async function endOperation(cluster: TestCluster, id: string): Promise<string | undefined> {
  const { monitor, setup } = cluster;
  const requests: readonly Action[] = setup.finalRequests.map(type =>
    type === 'resume' ? { type } : { type, hosts: 'failed' },
  );
  for (const action of [...requests, { type: 'cancel' } as const, undefined]) {
    if (!(await advanceUntil(cluster, () => hasStopped(cluster, id), MAX_MS))) return describeStuck(cluster, id);
    const operation = monitor.state.operations.find(candidate => candidate.id === id);
    if (operation?.state === 'paused' && operation.pause_reason !== 'manual' && operation.problem === '')
      return `operation ${id} is paused (${operation.pause_reason}), and its problem is empty`;
    if (operation?.state === 'failed' && operation.problem === '')
      return `operation ${id} has failed, and its problem is empty`;
    if (action === undefined && operation && isOpen(operation)) return describeStuck(cluster, id);
    cluster.operation = id;
    if (action) await runAction(cluster, action);
  }
  return undefined;
}

function describeStuck({ monitor }: TestCluster, id: string): string | undefined {
  const operation = monitor.state.operations.find(candidate => candidate.id === id);
  if (operation === undefined || monitor.violation !== undefined) return monitor.violation;
  const hosts = plannedIn(monitor.state, operation).map(
    ({ host, phase, problem }) => `${host} ${phase} ${JSON.stringify(problem)}`,
  );
  const { state, pause_reason: pause, problem } = operation;
  return `operation ${id} does not end: ${state} ${pause ?? ''} ${JSON.stringify(problem)}; ${hosts.join('; ')}`;
}

/** Runs the events. Their times are relative to `startMs`. */
async function runEvents(cluster: TestCluster, events: readonly Event[], startMs: number): Promise<void> {
  const { clock } = cluster.simulation;
  for (const { atMs, action } of events) {
    await advanceUntil(cluster, () => false, startMs + atMs - clock.monotonicMs());
    if (cluster.monitor.violation) return;
    await runAction(cluster, action);
  }
}

async function runAll(cluster: TestCluster, { events, setup }: History): Promise<string | undefined> {
  const { monitor, simulation } = cluster;
  const { clock } = simulation;
  for (let count = 0; count < setup.servers; count += 1) await cluster.startServer();
  const requestMs = clock.monotonicMs() + Math.max(0, -(events[0]?.atMs ?? 0));
  const isBefore = ({ atMs }: Event) => atMs < 0;
  await runEvents(cluster, events.filter(isBefore), requestMs);
  if (requestMs > clock.monotonicMs()) await advanceUntil(cluster, () => false, requestMs - clock.monotonicMs());
  await requestOperation(cluster, setup.request);
  await runEvents(
    cluster,
    events.filter(event => !isBefore(event)),
    requestMs,
  );
  if (monitor.violation) return monitor.violation;
  const found = await endOperations(cluster);
  // Delayed commands arrive now.
  await advanceUntil(cluster, () => false, MINUTE / 2);
  return monitor.violation ?? found ?? checkEndState(cluster);
}

export async function checkEndState(cluster: TestCluster): Promise<string | undefined> {
  for (const invariant of END_INVARIANTS) {
    const found = await invariant(cluster);
    if (found) return found;
  }
  return undefined;
}

export async function runHistory(environment: Environment, history: History): Promise<string | undefined> {
  const cluster = await createCluster(environment, history.setup);
  try {
    const found = await runAll(cluster, history);
    environment.onEnd?.(cluster);
    return found;
  } catch (error) {
    return `exception: ${error instanceof Error ? error.stack : String(error)}`;
  } finally {
    await cluster.simulation.close();
  }
}
