// Hosts, servers and time, all pretended but the store: what takes hours happens in a moment, and faults come when the test says.

import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EnrolHost } from '../../../src/app/hosts/enrol-host.ts';
import { enrolHost } from '../../../src/app/hosts/enrol-host.ts';
import { removeHost } from '../../../src/app/hosts/remove-host.ts';
import { ensureDataKey } from '../../../src/app/keys/ensure-data-key.ts';
import type { Ports } from '../../../src/app/ports.ts';
import { LOCAL_ACTOR } from '../../../src/domain/actor.ts';
import type { Address } from '../../../src/domain/address.ts';
import type { DriverMemory } from '../../../src/domain/driver-memory.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import type { Host } from '../../../src/domain/host.ts';
import { recordNameOf } from '../../../src/domain/record-name.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { Drivers } from '../../../src/drivers/index.ts';
import { drivers as standardDrivers } from '../../../src/drivers/index.ts';
import type { MachineFake } from '../../../src/drivers/machine.ts';
import { osFakes } from '../../../src/drivers/os/fakes.ts';
import type { HostSpec } from '../../../src/drivers/transport/sim/host-spec.ts';
import { SimulatedFleet } from '../../../src/drivers/transport/sim/simulated-fleet.ts';
import type { Times } from '../../../src/drivers/transport/sim/world.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { EngineSettings } from '../../../src/engine/ports.ts';
import type { AlarmClock } from '../../../src/lib/clock.ts';
import { VirtualClock } from '../../../src/lib/virtual-clock.ts';
import { createOperations } from '../../../src/operations/index.ts';
import { openVault } from '../../../src/secrets/keyring.ts';
import { driverMemoryOf } from '../../../src/store/driver-memory.ts';
import type { Store } from '../../../src/store/store.ts';
import { countCalls } from './count-calls.ts';
import type { Death } from './mortal.ts';
import { Mortal } from './mortal.ts';

const SETTINGS: EngineSettings = {
  leaseMs: 15_000,
  checkIntervalMs: 60_000,
  factsEveryMs: 3_600_000,
  connectTimeoutMs: 10_000,
  maxWork: 100,
  maxChecks: 100,
};

const away = async () => {
  throw new Error('it is away');
};
const AWAY: DriverMemory = { get: away, set: away, delete: away };

export const MINUTE = 60_000;
const KEY = new Secret('a key');

/** One server, which can be frozen and killed. */
export interface Server {
  /** `undefined` when it died or froze while it started. */
  readonly engine: Engine | undefined;
  readonly mortal: Mortal;
  /** What it has warned of, and what broke. */
  readonly complaints: readonly string[];
}

export interface Options {
  /** What hosts and servers go by, instead of a clock that moves only when it is told to. */
  readonly time?: AlarmClock;
  readonly settings?: Partial<EngineSettings>;
  readonly times?: Partial<Times>;
  readonly drivers?: Drivers;
  readonly fakes?: readonly MachineFake[];
}

export class Simulation {
  readonly clock: VirtualClock;
  readonly fleet: SimulatedFleet;
  readonly ports: Ports;
  readonly servers: Server[] = [];
  readonly #settings: EngineSettings;
  readonly #time: AlarmClock;
  readonly #stores: Store[] = [];
  readonly #broken = new Set<string>();
  #openStore: () => Promise<Store>;

  private constructor(
    clock: VirtualClock,
    ports: Ports,
    openStore: () => Promise<Store>,
    { settings, times, time = clock, fakes = [] }: Options,
  ) {
    this.clock = clock;
    this.ports = ports;
    this.#openStore = openStore;
    this.#settings = { ...SETTINGS, ...settings };
    this.#time = time;
    this.fleet = new SimulatedFleet({
      clock: time,
      fakes: { systems: [...Object.values(osFakes), ...fakes] },
      ...(times && { times }),
    });
  }

  /** On a store that is opened once for each server, all of them by the same clock. */
  static async over(open: (time: AlarmClock) => Promise<Store>, options: Options = {}): Promise<Simulation> {
    const calls = countCalls();
    const clock = new VirtualClock({ quiet: () => calls.underWay === 0 });
    const { time = clock } = options;
    const openStore = async () => calls.counted(await open(time));
    const store = await openStore();
    const secretKey = randomBytes(32);
    const keys = () => [secretKey] as const;
    await ensureDataKey({ store }, keys);
    const ports: Ports = {
      store,
      clock: time,
      vault: await openVault(keys, store.reads.dataKeys),
      drivers: options.drivers ?? standardDrivers,
      hasher: { hash: async () => '', verify: async () => false },
      accountChanged: () => {},
      memoryOf: (of, name) => driverMemoryOf(store, `${of}/${name}`),
      privateKeyProblem: () => undefined,
      hostSources: new Set(),
      limits: { membersPerReplace: 10_000 },
      tryAccess: async () => undefined,
      watchReport: async () => {
        throw new Error('ask an engine');
      },
      workSaved: () => {
        for (const { engine, mortal } of simulation.servers) if (!mortal.isDead) engine?.wake();
      },
    };
    const simulation = new Simulation(clock, ports, openStore, options);
    simulation.#stores.push(store);
    return simulation;
  }

  get store(): Store {
    return this.ports.store;
  }

  /** Starts a server on a connection of its own to the store. */
  async startServer({
    isShared = this.store.isShared,
    ...fate
  }: {
    isShared?: boolean;
    death?: Death;
    freezesAtPass?: number;
  } = {}): Promise<Server> {
    const store = await this.#openStore();
    this.#stores.push(store);
    const mortal = new Mortal(fate);
    const complaints: string[] = [];
    const complain = (details: unknown, message?: string) => {
      complaints.push(message ?? String(details));
    };
    let engine: Engine | undefined;
    void Engine.start({
      ...this.ports,
      store: { ...mortal.store(store), isShared },
      clock: mortal.clock(this.#time),
      transport: mortal.transport(this.fleet.transport),
      operations: createOperations({ contactWithinMs: 30 * MINUTE }),
      memoryOf: (kind, name) => {
        if (this.#broken.has(name)) return AWAY;
        return driverMemoryOf(mortal.store(store), `${kind}/${name}`);
      },
      log: { info: () => {}, warn: complain, error: complain },
      chance: () => 0.5,
      settings: this.#settings,
    }).then(started => {
      engine = started;
    });
    // It may die before it has started.
    while (engine === undefined && !mortal.isDead && !mortal.isFrozen) await nextTurn();
    const server: Server = { engine, mortal, complaints };
    this.servers.push(server);
    return server;
  }

  /** A pretend host at this address, which nobody knows of yet. */
  addMachine(address: string, spec: Partial<HostSpec> = {}) {
    return this.fleet.add(address as Address, { os: 'debian', ...spec });
  }

  async enrol(address: string, request: Partial<EnrolHost> = {}): Promise<Host> {
    const result = await enrolHost(this.ports, LOCAL_ACTOR, {
      address: address as Address,
      sshPrivKey: KEY,
      remoteUser: undefined,
      sshPort: undefined,
      hostKeys: undefined,
      cluster: undefined,
      source: undefined,
      ...request,
    });
    if (result instanceof Refusal) throw new Error(result.detail);
    return result.record;
  }

  /** Pretend hosts at these addresses, enrolled. */
  async enrolMachines(addresses: readonly string[], spec?: Partial<HostSpec>, request?: Partial<EnrolHost>) {
    for (const address of addresses) {
      this.addMachine(address, spec);
      await this.enrol(address, request);
    }
  }

  remove(address: string) {
    return removeHost(this.ports, LOCAL_ACTOR, address as Address);
  }

  async makeCluster(name: string, containerManager?: string): Promise<void> {
    const none = { options: {}, sealedOptions: {}, revision: 'r' };
    const manager = containerManager === undefined ? null : recordNameOf(containerManager);
    await this.store.transaction(async records => {
      await records.driverRecords.insertOrLock('network', {
        ...none,
        name: recordNameOf('default'),
        type: 'none',
      });
      if (manager)
        await records.driverRecords.insertOrLock('container_manager', {
          ...none,
          name: manager,
          type: 'trivial',
        });
      const network = recordNameOf('default');
      await records.clusters.insertOrLock({
        name: recordNameOf(name),
        network,
        containerManager: manager,
        revision: 'r',
      });
    });
  }

  host(address: string): Promise<Host | undefined> {
    return this.store.reads.hosts.get(address as Address);
  }

  async statusOf(address: string): Promise<string | undefined> {
    const host = await this.host(address);
    return host && (host.reason ? `${host.status} (${host.reason.split(':')[0]})` : host.status);
  }

  /** Lets time pass until a host has this status. */
  async until(address: string, status: string, withinMs = 10 * MINUTE): Promise<void> {
    await this.clock.advanceUntil(async () => (await this.statusOf(address)) === status, withinMs);
  }

  /** From now on nothing can be asked of a container manager. */
  breakManager(name: string): void {
    this.#broken.add(name);
  }

  mendManager(name: string): void {
    this.#broken.delete(name);
  }

  /** The nodes of a container manager, of all hosts that are or were here. */
  async nodes(containerManager: string): Promise<string[]> {
    const memory = this.ports.memoryOf('container_manager', recordNameOf(containerManager));
    const found: string[] = [];
    for (const { address } of this.fleet.hosts) if (await memory.get(address)) found.push(address);
    return found;
  }

  /** What was told of a host's status, oldest first. */
  async statusesTold(address: string): Promise<string[]> {
    const { items } = await this.store.reads.outbox.list({ host: address, type: 'host.status' }, {});
    return items.toReversed().map(({ data: { from, to, reason } }) => {
      const why = typeof reason === 'string' ? `: ${reason.split(':')[0]}` : '';
      return `${from} → ${to}${why}`;
    });
  }

  /** What was run on a host, but for looks at how it is. */
  commandsOn(address: string): string[] {
    const { facts, pulse } = this.ports.drivers.os;
    const name = (argv: readonly string[]) => {
      const text = argv.join(' ');
      if (text === facts.argv.join(' ')) return 'facts';
      return text === pulse.argv.join(' ') ? 'pulse' : text;
    };
    return this.fleet.host(address as Address).journal.map(entry => name(entry.argv));
  }

  async end(): Promise<void> {
    for (const { mortal } of this.servers) mortal.kill();
    for (const store of this.#stores) await store.close();
  }
}
