// Hosts, servers and time, all pretended but the store: what takes hours happens in a moment, and faults come when the test says.

import { driverMemoryScope } from '../../../src/app/driver-records/manage-driver-records.ts';
import { enrolHost } from '../../../src/app/hosts/enrol-host.ts';
import { removeHost } from '../../../src/app/hosts/manage-hosts.ts';
import type { EnrolmentRequest } from '../../../src/app/hosts/validate-enrolment.ts';
import { LOCAL_ACTOR } from '../../../src/domain/accounts/account.ts';
import type { Address } from '../../../src/domain/addresses/address.ts';
import type { Argv } from '../../../src/domain/command.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type { Host } from '../../../src/domain/hosts/host.ts';
import { toRecordName } from '../../../src/domain/record-name.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { TimerClock } from '../../../src/lib/time/clock.ts';
import { parsePollArgv } from '../../../src/procedures/jobs/poll-script.ts';
import { parseStartArgv } from '../../../src/procedures/jobs/start-script.ts';
import type { SimulatedHostSpec } from '../../../src/simulator/simulation-context.ts';
import type { Store } from '../../../src/store/store.ts';
import { toldIn } from '../events/told.ts';
import { World } from './world.ts';
import type { WorldOptions } from './world-options.ts';
import { MINUTE } from './world-options.ts';

/** What hosts are enrolled with: found nowhere but where it belongs. */
export const KEY = new Secret('c2VjcmV0IG9mIHRoZSBzaW11bGF0aW9u');

/** A world, and what tests do in it and ask of it. */
export class Simulation {
  readonly #world: World;

  private constructor(world: World) {
    this.#world = world;
  }

  static async over(
    open: (time: TimerClock) => Promise<Store>,
    options: WorldOptions = {},
  ): Promise<Simulation> {
    return new Simulation(await World.over(open, options));
  }

  get clock() {
    return this.#world.clock;
  }

  get fleet() {
    return this.#world.fleet;
  }

  get manager() {
    return this.#world.manager;
  }

  get ports() {
    return this.#world.ports;
  }

  get servers() {
    return this.#world.servers;
  }

  get store() {
    return this.ports.store;
  }

  startServer: World['startServer'] = failures => this.#world.startServer(failures);
  breakManager = (name: string) => this.#world.breakManager(name);
  interruptManager: World['interruptManager'] = what => this.#world.interruptManager(what);
  mendManager = (name: string) => this.#world.mendManager(name);
  end = () => this.#world.end();

  /** A pretend host at this address, which nobody knows of yet. */
  addMachine(address: string, spec: Partial<SimulatedHostSpec> = {}) {
    return this.fleet.add(address as Address, { os: 'debian', ...spec });
  }

  async enrol(address: string, request: Partial<EnrolmentRequest> = {}): Promise<Host> {
    const result = await enrolHost(this.ports, LOCAL_ACTOR, {
      address: address as Address,
      sshPrivKey: KEY,
      remoteUser: undefined,
      sshPort: undefined,
      hostKeys: undefined,
      transport: undefined,
      cluster: undefined,
      source: undefined,
      ...request,
    });
    if (result instanceof AppError) throw new Error(result.detail);
    return result.record;
  }

  /** Pretend hosts at these addresses, enrolled. */
  async enrolMachines(
    addresses: readonly string[],
    spec?: Partial<SimulatedHostSpec>,
    request?: Partial<EnrolmentRequest>,
  ) {
    for (const address of addresses) {
      this.addMachine(address, spec);
      await this.enrol(address, request);
    }
  }

  remove(address: string) {
    return removeHost(this.ports, LOCAL_ACTOR, address as Address);
  }

  /** A container manager that is only named is `trivial`; a network without a name is called as its type. */
  async makeCluster(
    name: string,
    containerManager?:
      | string
      | {
          readonly name: string;
          readonly type: string;
          readonly options?: Readonly<Record<string, unknown>>;
        },
    network: { name?: string; type: string; options: Readonly<Record<string, unknown>> } = {
      type: 'none',
      options: {},
    },
  ): Promise<void> {
    const none = { options: {}, sealedOptions: {}, revision: 'r' };
    const {
      name: managerName,
      type,
      options = {},
    } = typeof containerManager === 'object' ? containerManager : { name: containerManager, type: 'trivial' };
    const manager = managerName === undefined ? null : toRecordName(managerName);
    await this.store.transaction(async records => {
      const networkName = toRecordName(network.name ?? network.type);
      await records.driverRecords.insertOrLock('network', { ...none, ...network, name: networkName });
      if (manager)
        await records.driverRecords.insertOrLock('container_manager', {
          ...none,
          name: manager,
          type,
          options,
        });
      await records.clusters.insertOrLock({
        name: toRecordName(name),
        network: networkName,
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

  /** The nodes of a container manager of the type `trivial`, of all hosts that are or were here. */
  async nodes(containerManager: string): Promise<string[]> {
    const { driverMemory } = this.store.reads;
    const scope = driverMemoryScope('container_manager', toRecordName(containerManager));
    const found: string[] = [];
    for (const { address } of this.fleet.hosts)
      if (await driverMemory.get(scope, address)) found.push(address);
    return found;
  }

  /** What was told of a host's status, oldest first. */
  async statusesTold(address: string): Promise<string[]> {
    const items = await toldIn(this.store, { host: address, type: 'host.status' });
    return items.map(({ data: { from, to, reason } }) => {
      const why = typeof reason === 'string' ? `: ${reason.split(':')[0]}` : '';
      return `${from} → ${to}${why}`;
    });
  }

  /** What was run on a host; looks at how it is, and jobs, by short names. */
  commandsOn(address: string): string[] {
    const { facts, liveness } = this.ports.drivers.os;
    const name = (argv: Argv) => {
      const text = argv.join(' ');
      if (text === facts.argv.join(' ')) return 'facts';
      const job = parseStartArgv(argv);
      if (job) return `job: ${job.argv.join(' ')}`;
      if (parsePollArgv(argv)) return 'look at a job';
      return text === liveness.argv.join(' ') ? 'pulse' : text;
    };
    return this.fleet.host(address as Address).journal.map(entry => name(entry.argv));
  }
}
