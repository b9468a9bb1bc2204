// Simulated hosts, servers and time on a real store: hours pass in moments, and tests choose the faults.

import { driverMemoryScope } from '../../../src/app/driver-records/manage-driver-records.ts';
import type { EnrolmentRequest } from '../../../src/app/hosts/enrol-host.ts';
import { enrolHost } from '../../../src/app/hosts/enrol-host.ts';
import { removeHost } from '../../../src/app/hosts/manage-hosts.ts';
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
import { listOutboxEntries } from '../events/outbox-entries.ts';
import { SimulationEnvironment } from './simulation-environment.ts';
import type { SimulationOptions } from './simulation-options.ts';
import { MINUTE } from './simulation-options.ts';

/** A recognizable private key, so that tests find leaks. */
export const KEY = new Secret('c2VjcmV0IG9mIHRoZSBzaW11bGF0aW9u');

/** A simulation environment with actions and queries for tests. */
export class Simulation extends SimulationEnvironment {
  static async create(
    open: (clock: TimerClock) => Promise<Store>,
    options: SimulationOptions = {},
  ): Promise<Simulation> {
    return new Simulation(await Simulation.prepare(open, options));
  }

  get store() {
    return this.ports.store;
  }

  /** Adds a simulated host without enrolling it. */
  addHost(address: string, spec: Partial<SimulatedHostSpec> = {}) {
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

  /** Adds and enrols simulated hosts. */
  async enrolHosts(
    addresses: readonly string[],
    spec?: Partial<SimulatedHostSpec>,
    request?: Partial<EnrolmentRequest>,
  ) {
    for (const address of addresses) {
      this.addHost(address, spec);
      await this.enrol(address, request);
    }
  }

  remove(address: string) {
    return removeHost(this.ports, LOCAL_ACTOR, address as Address);
  }

  /** A container manager given by name is `trivial`; the default name of a network is its type. */
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

  async describeStatus(address: string): Promise<string | undefined> {
    const host = await this.host(address);
    return host && (host.reason ? `${host.status} (${host.reason.split(':')[0]})` : host.status);
  }

  /** Advances time until the host has this status. */
  async waitForStatus(address: string, status: string, withinMs = 10 * MINUTE): Promise<void> {
    await this.clock.advanceUntil(async () => (await this.describeStatus(address)) === status, withinMs);
  }

  /** Nodes of a `trivial` container manager. */
  async trivialNodes(containerManager: string): Promise<string[]> {
    const { driverMemory } = this.store.reads;
    const scope = driverMemoryScope('container_manager', toRecordName(containerManager));
    const found: string[] = [];
    for (const { address } of this.fleet.hosts) if (await driverMemory.get(scope, address)) found.push(address);
    return found;
  }

  /** Oldest first. */
  async emittedStatuses(address: string): Promise<string[]> {
    const items = await listOutboxEntries(this.store, { host: address, type: 'host.status' });
    return items.map(({ data: { from, to, reason } }) => {
      const reasonText = typeof reason === 'string' ? `: ${reason.split(':')[0]}` : '';
      return `${from} → ${to}${reasonText}`;
    });
  }

  /** Commands of a host; queries and jobs have short names. */
  commandsRunOn(address: string): string[] {
    const { facts, liveness } = this.ports.drivers.os;
    const name = (argv: Argv) => {
      const text = argv.join(' ');
      if (text === facts.argv.join(' ')) return 'facts';
      const job = parseStartArgv(argv);
      if (job) return `job: ${job.argv.join(' ')}`;
      if (parsePollArgv(argv)) return 'poll a job';
      return text === liveness.argv.join(' ') ? 'liveness' : text;
    };
    return this.fleet.host(address as Address).journal.map(entry => name(entry.argv));
  }
}
