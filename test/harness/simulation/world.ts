// The world of a simulation: pretend hosts, servers that can be frozen and killed, and their time. The store is real.

import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ensureDataKey } from '../../../src/app/initialize-store.ts';
import type { Ports } from '../../../src/app/ports.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import type { Drivers } from '../../../src/drivers/index.ts';
import { drivers as standardDrivers } from '../../../src/drivers/index.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineSettings } from '../../../src/engine/ports.ts';
import { ConnectionPool } from '../../../src/integrations/http/connection-pool.ts';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import { VirtualClock } from '../../../src/lib/time/virtual-clock.ts';
import type { Tracer } from '../../../src/lib/tracer.ts';
import { createDryRun } from '../../../src/procedures/dry-run.ts';
import type { Procedures } from '../../../src/procedures/index.ts';
import { createProcedures } from '../../../src/procedures/index.ts';
import { openVault } from '../../../src/secrets/keyring.ts';
import {
  createContainerManagerFactory,
  createNetworkFactory,
} from '../../../src/server/wiring/create-drivers.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import { simulatedReboot } from '../../../src/simulator/reboot.ts';
import { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { Store } from '../../../src/store/store.ts';
import { SignalBus } from '../../../src/store/store.ts';
import { aroundCalls } from './around-calls.ts';
import { countCalls } from './count-calls.ts';
import { giveWay } from './give-way.ts';
import type { PlannedFailures } from './killable-server.ts';
import { KillableServer } from './killable-server.ts';
import { SimulatedManager } from './simulated-manager.ts';
import type { WorldOptions } from './world-options.ts';
import { MINUTE, SETTINGS } from './world-options.ts';

/** Pretend container managers connect to nobody, and networks to servers that a test has started. */
const OPENING = { connections: new ConnectionPool(), etcdEndpoints: [] };

/** One server, which can be frozen and killed. */
export interface Server {
  /** `undefined` when it died or froze while it started. */
  readonly engine: Engine | undefined;
  readonly control: KillableServer;
  /** What it has warned of, and what broke. */
  readonly complaints: readonly string[];
  /** Everything that it has logged, as it would be written. */
  readonly log: readonly string[];
}

const fleetOf = (
  clock: TimerClock,
  { times: latencies, fakes = [], commonFakes = [], reboots = simulatedReboot }: WorldOptions,
) =>
  new SimulatedFleet({
    clock,
    simulators: {
      systems: [...SIMULATORS.systems, ...fakes],
      common: [...SIMULATORS.common.map(fake => (fake === simulatedReboot ? reboots : fake)), ...commonFakes],
    },
    ...(latencies && { latencies }),
  });

const withManager = (drivers: Drivers, { driver }: SimulatedManager): Drivers => ({
  ...drivers,
  container_manager: [...drivers.container_manager, driver],
});

export class World {
  readonly clock: VirtualClock;
  readonly fleet: SimulatedFleet;
  /** What every container manager of the type `simulated` stands for. */
  readonly manager: SimulatedManager;
  readonly ports: Ports;
  readonly servers: Server[] = [];
  readonly #settings: EngineSettings;
  readonly #operations: Procedures;
  readonly #tracer: Tracer | null;
  readonly #metrics: Pick<WorldOptions, 'metrics'>;
  readonly #time: TimerClock;
  readonly #openStore: () => Promise<Store>;
  readonly #stores = new Map<KillableServer, Store>();
  readonly #broken = new Set<string>();
  #beforeManager: (() => Promise<unknown>) | undefined;

  private constructor(
    { clock, fleet, manager }: Pick<World, 'clock' | 'fleet' | 'manager'>,
    ports: Ports,
    openStore: () => Promise<Store>,
    options: WorldOptions,
  ) {
    this.clock = clock;
    this.ports = ports;
    this.#time = options.time ?? clock;
    this.fleet = fleet;
    this.manager = manager;
    this.#openStore = openStore;
    this.#metrics = options.metrics ? { metrics: options.metrics } : {};
    this.#settings = { ...SETTINGS, ...options.settings };
    const operations = createProcedures({ contactTimeoutMs: 30 * MINUTE, retryTimeoutMs: 10 * MINUTE });
    this.#tracer = options.tracer?.(this.#time) ?? null;
    this.#operations = options.operations?.(operations) ?? operations;
  }

  /** On a store that is opened once for each server, all of them by the same clock. */
  static async over(open: (time: TimerClock) => Promise<Store>, options: WorldOptions): Promise<World> {
    const calls = countCalls();
    const clock = new VirtualClock({ isIdle: () => calls.underWay === 0 || giveWay() });
    const { time = clock } = options;
    const fleet = fleetOf(time, options);
    const manager = new SimulatedManager({ clock: time, bootsOf: node => fleet.host(node).boots });
    const drivers = withManager(options.drivers ?? standardDrivers, manager);
    // Each server has a store of its own, and hears of all.
    const signals = new SignalBus();
    const heard = new Set<Store>();
    const openStore = async (): Promise<Store> => {
      const opened = await open(time);
      if (!heard.has(opened)) opened.listen(signal => signals.emit([signal]));
      heard.add(opened);
      return { ...calls.counted(opened), listen: listener => signals.listen(listener) };
    };
    const store = await openStore();
    const secretKey = randomBytes(32);
    const keys = () => [secretKey] as const;
    await ensureDataKey({ store }, keys);
    const vault = await openVault(keys, store.reads.dataKeys);
    const openNetwork = createNetworkFactory({ store, vault, drivers, ...OPENING });
    const ports = {
      ...{ store, vault, drivers, clock: time },
      openManager: createContainerManagerFactory({ store, vault, drivers, ...OPENING }),
      openNetwork: async (...of: Parameters<typeof openNetwork>) =>
        calls.countedNetwork(await openNetwork(...of)),
      hasher: { hash: async () => '', verify: async () => false },
      invalidateAccount: () => {},
      validatePrivateKey: () => undefined,
      dryRunHost: createDryRun(drivers.os),
      transports: [],
      hostSources: new Set<string>(),
      refreshSource: () => {},
      sessions: { lifetimeS: 60, invalidate: () => {} },
      publicUrl: undefined,
      limits: { maxMembersPerReplace: 10_000, maxBulkHosts: 1000 },
      webhooks: { allowsPrivate: false, send: async () => ({ problem: 'nobody is there' }) },
      flushEventLog: async () => {},
      recordRejection: () => {},
      eventPosition: () => 0,
      eventSubscribers: { isFull: true, isFullFor: () => true, subscribe: () => {} },
      testCredentials: async () => new TransportFailure('unreachable', 'ask an engine'),
      healthReport: async () => {
        throw new Error('ask an engine');
      },
    };
    return new World({ clock, fleet, manager }, ports, openStore, options);
  }

  /** Starts a server on a connection of its own to the store. */
  async startServer({
    isShared = this.ports.store.isShared,
    ...failures
  }: { isShared?: boolean } & PlannedFailures = {}): Promise<Server> {
    await this.#closeStoresOfDead();
    const opened = await this.#openStore();
    const control = new KillableServer(failures);
    this.#stores.set(control, opened);
    const store = { ...control.store(opened), isShared };
    const openManager = createContainerManagerFactory({ ...this.ports, ...OPENING, store });
    const [log, complaints]: [string[], string[]] = [[], []];
    const note = (details: unknown, message?: string) => {
      log.push(`${JSON.stringify(details)} ${String(details)} ${message}`);
      return message ?? String(details);
    };
    const complain = (details: unknown, message?: string) => complaints.push(note(details, message));
    let engine: Engine | undefined;
    void Engine.start({
      ...this.ports,
      store,
      clock: control.clock(this.#time),
      transport: control.transport(this.fleet.transport),
      procedures: this.#operations,
      openManager: async (record, guard) => {
        const manager = await openManager(record, guard);
        return manager && control.manager(this.#breakable(record.name, manager));
      },
      log: { info: note, warn: complain, error: complain },
      tracer: this.#tracer,
      jitter: () => 0.5,
      ownBootId: '',
      notifyOutput: () => {},
      settings: this.#settings,
      ...this.#metrics,
    }).then(started => {
      engine = started;
    });
    // It may die before it has started.
    while (engine === undefined && !control.isDead && !control.isFrozen) await nextTurn();
    const server: Server = { engine, control, complaints, log };
    this.servers.push(server);
    return server;
  }

  /** From now on a container manager does not answer. */
  breakManager(name: string): void {
    this.#broken.add(name);
  }

  /** Something happens right before the next call of a container manager. */
  interruptManager(interruption: () => Promise<unknown>): void {
    this.#beforeManager = interruption;
  }

  mendManager(name: string): void {
    this.#broken.delete(name);
  }

  #breakable<T extends object>(name: string, manager: T): T {
    return aroundCalls(manager, async call => {
      if (this.#broken.has(name)) throw new Error('it is away');
      const interruption = this.#beforeManager;
      this.#beforeManager = undefined;
      await interruption?.();
      return call();
    });
  }

  /** Connections end with whoever had them; there are only so many. */
  async #closeStoresOfDead(): Promise<void> {
    for (const [control, store] of this.#stores) {
      if (!control.isDead) continue;
      this.#stores.delete(control);
      await store.close();
    }
  }

  async end(): Promise<void> {
    for (const { control } of this.servers) control.kill();
    await this.#closeStoresOfDead();
    await this.ports.store.close();
  }
}
