// Simulated hosts, servers that tests can freeze and kill, and virtual time. The store is real.

import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ensureDataKey } from '../../../src/app/initialize-store.ts';
import type { Ports } from '../../../src/app/ports.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { Drivers } from '../../../src/drivers/index.ts';
import { drivers as standardDrivers } from '../../../src/drivers/index.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineMetrics, EngineSettings } from '../../../src/engine/ports.ts';
import { ConnectionPool } from '../../../src/integrations/http/connection-pool.ts';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import type { Tracer } from '../../../src/lib/tracer.ts';
import { createDryRun } from '../../../src/procedures/dry-run.ts';
import type { Procedures } from '../../../src/procedures/index.ts';
import { createProcedures } from '../../../src/procedures/index.ts';
import { openVault } from '../../../src/secrets/keyring.ts';
import { createContainerManagerFactory, createNetworkFactory } from '../../../src/server/wiring/create-drivers.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import { simulatedReboot } from '../../../src/simulator/reboot.ts';
import { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { Store } from '../../../src/store/store.ts';
import { SignalBus } from '../../../src/store/store.ts';
import { interceptCalls, trackCalls } from './intercept-calls.ts';
import { ManagerFaults } from './manager-faults.ts';
import type { StartFaults } from './server-control.ts';
import { SimulatedServerControl } from './server-control.ts';
import { SimulatedManager } from './simulated-manager.ts';
import type { SimulationOptions } from './simulation-options.ts';
import { MINUTE, NO_METRICS, SETTINGS } from './simulation-options.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Simulated container managers need no connections. */
const FACTORY_OPTIONS = { connections: new ConnectionPool(), etcdEndpoints: [] };

export interface Server {
  /** `undefined` if the server was killed or frozen during its start. */
  readonly engine: Engine | undefined;
  readonly control: SimulatedServerControl;
  /** Warnings and errors of the log. */
  readonly warnings: readonly string[];
  /** All log lines. */
  readonly log: readonly string[];
}

const createFleet = (
  clock: TimerClock,
  { latencies, simulators = [], commonSimulators = [], rebootSimulator = simulatedReboot }: SimulationOptions,
) =>
  new SimulatedFleet({
    clock,
    simulators: {
      systems: [...SIMULATORS.systems, ...simulators],
      common: [
        ...SIMULATORS.common.map(simulator => (simulator === simulatedReboot ? rebootSimulator : simulator)),
        ...commonSimulators,
      ],
    },
    ...(latencies && { latencies }),
  });

const withManager = (drivers: Drivers, { driver }: SimulatedManager): Drivers => ({
  ...drivers,
  container_manager: [...drivers.container_manager, driver],
});

type PreparedEnvironment = Pick<SimulationEnvironment, 'clock' | 'fleet' | 'manager' | 'ports'> & {
  readonly openStore: () => Promise<Store>;
  readonly options: SimulationOptions;
};

export class SimulationEnvironment {
  readonly clock: VirtualClock;
  readonly fleet: SimulatedFleet;
  /** Backs every container manager of the type `simulated`. */
  readonly manager: SimulatedManager;
  readonly ports: Ports;
  readonly servers: Server[] = [];
  readonly #settings: EngineSettings;
  readonly #procedures: Procedures;
  readonly #tracer: Tracer | null;
  readonly #metrics: EngineMetrics;
  readonly #onDebug: NonNullable<SimulationOptions['onDebug']>;
  readonly #clock: TimerClock;
  readonly #openStore: () => Promise<Store>;
  readonly #stores = new Map<SimulatedServerControl, Store>();
  readonly #managerFaults = new Map<string, ManagerFaults>();
  #interruption: (() => Promise<unknown>) | undefined;

  protected constructor({ clock, fleet, manager, ports, openStore, options }: PreparedEnvironment) {
    this.clock = clock;
    this.ports = ports;
    this.#clock = options.clock ?? clock;
    this.fleet = fleet;
    this.manager = manager;
    this.#openStore = openStore;
    this.#metrics = options.metrics ?? NO_METRICS;
    this.#onDebug = options.onDebug ?? (() => {});
    this.#settings = { ...SETTINGS, ...options.settings };
    const procedures = createProcedures({ contactTimeoutMs: 30 * MINUTE, retryTimeoutMs: 10 * MINUTE });
    this.#tracer = options.tracer?.(this.#clock) ?? null;
    this.#procedures = options.procedures?.(procedures) ?? procedures;
  }

  /** Opens the store once per server; all use the same clock. */
  protected static async prepare(
    open: (time: TimerClock) => Promise<Store>,
    options: SimulationOptions,
  ): Promise<PreparedEnvironment> {
    const calls = trackCalls();
    const clock = new VirtualClock({ isIdle: () => calls.inFlight === 0, untilProgress: calls.untilNextEnd });
    const { clock: time = clock } = options;
    const fleet = createFleet(time, options);
    const manager = new SimulatedManager({ clock: time, bootsOf: node => fleet.host(node).boots });
    const drivers = withManager(options.drivers ?? standardDrivers, manager);
    // Servers have their own stores but receive all signals.
    const signals = new SignalBus();
    const openStores = new Set<Store>();
    const openStore = async (): Promise<Store> => {
      const opened = await open(time);
      if (!openStores.has(opened)) opened.listen(signal => signals.emit([signal]));
      openStores.add(opened);
      return { ...calls.trackStore(opened), listen: listener => signals.listen(listener) };
    };
    const store = await openStore();
    const secretKey = randomBytes(32);
    const keys = () => [secretKey] as const;
    await ensureDataKey({ store }, keys);
    const vault = await openVault(keys, store.reads.dataKeys);
    const openNetwork = createNetworkFactory({ store, vault, drivers, ...FACTORY_OPTIONS });
    const ports = {
      ...{ store, vault, drivers, clock: time },
      openManager: createContainerManagerFactory({ store, vault, drivers, ...FACTORY_OPTIONS }),
      openNetwork: async (...args: Parameters<typeof openNetwork>) => calls.trackNetwork(await openNetwork(...args)),
      hasher: { hash: async () => '', verify: async () => false },
      invalidateAccount: () => {},
      validatePrivateKey: () => undefined,
      dryRunHost: createDryRun(drivers.os),
      transports: [],
      hostSources: new Set<string>(),
      refreshSource: () => {},
      lookup: async () => [],
      sessions: { lifetimeS: 60, invalidate: () => {} },
      publicUrl: undefined,
      maxMembersPerReplace: 10_000,
      webhooks: { allowsPrivate: false, send: async () => ({ problem: 'connection refused' }) },
      flushEventLog: async () => {},
      recordRejection: () => {},
      eventPosition: () => 0,
      eventSubscribers: { isFull: true, isFullFor: () => true, subscribe: () => {} },
      testCredentials: async () => new TransportFailure('unreachable', 'not available without an engine'),
      healthReport: async () => {
        throw new Error('not available without an engine');
      },
    };
    return { clock, fleet, manager, ports, openStore, options };
  }

  async startServer({
    isShared = this.ports.store.isShared,
    ...failures
  }: { isShared?: boolean } & StartFaults = {}): Promise<Server> {
    await this.#closeStoresOfKilledServers();
    const opened = await this.#openStore();
    const control = new SimulatedServerControl(failures);
    this.#stores.set(control, opened);
    const store = { ...control.store(opened), isShared };
    const openManager = createContainerManagerFactory({ ...this.ports, ...FACTORY_OPTIONS, store });
    const [log, warnings]: [string[], string[]] = [[], []];
    const record = (details: unknown, message?: string) => {
      log.push(`${JSON.stringify(details)} ${String(details)} ${message}`);
      return message ?? String(details);
    };
    const warn = (details: unknown, message?: string) => warnings.push(record(details, message));
    let engine: Engine | undefined;
    void Engine.start({
      ...this.ports,
      store,
      clock: control.clock(this.#clock),
      transport: control.transport(this.fleet.transport),
      procedures: this.#procedures,
      openManager: async (record, fence) => {
        const manager = await openManager(record, fence);
        return manager && control.calls(this.#withFaults(record.name, manager));
      },
      log: { debug: this.#onDebug, info: record, warn, error: warn },
      tracer: this.#tracer,
      jitter: () => 0.5,
      ownBootId: '',
      notifyOutput: () => {},
      settings: this.#settings,
      metrics: this.#metrics,
    }).then(started => {
      engine = started;
    });
    // The server may be killed before it has started.
    while (engine === undefined && !control.isKilled && !control.isFrozen) await nextTurn();
    const server: Server = { engine, control, warnings, log };
    this.servers.push(server);
    return server;
  }

  /** Faults of a container manager of any type. */
  managerFaults(name: string): ManagerFaults {
    const faults = this.#managerFaults.get(name) ?? new ManagerFaults();
    this.#managerFaults.set(name, faults);
    return faults;
  }

  /** Runs once, right before the next call of a container manager. */
  interruptManager(interruption: () => Promise<unknown>): void {
    this.#interruption = interruption;
  }

  #withFaults<T extends object>(name: string, manager: T): T {
    return interceptCalls(manager, async call => {
      const hanging = this.managerFaults(name).check();
      if (hanging) await hanging;
      const interruption = this.#interruption;
      this.#interruption = undefined;
      await interruption?.();
      return call();
    });
  }

  /** Frees the limited connections. */
  async #closeStoresOfKilledServers(): Promise<void> {
    for (const [control, store] of this.#stores) {
      if (!control.isKilled) continue;
      this.#stores.delete(control);
      await store.close();
    }
  }

  async close(): Promise<void> {
    for (const { control } of this.servers) control.inject('kill_server');
    await this.#closeStoresOfKilledServers();
    await this.ports.store.close();
  }
}
