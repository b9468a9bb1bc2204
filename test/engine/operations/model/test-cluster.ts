// The hosts, servers and clients of a history.

import type { Address } from '../../../../src/domain/addresses/address.ts';
import { toRecordName } from '../../../../src/domain/record-name.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';
import type { Server } from '../../../harness/simulation/simulation-environment.ts';
import type { HostIndex, Setup } from './history.ts';
import type { InvariantMonitor } from './invariant-monitor.ts';

export const CLUSTER = toRecordName('web');
export const MANAGER = toRecordName('nodes');

export const addressOf = (index: HostIndex): Address => `127.0.0.${index + 1}` as Address;

export class TestCluster {
  readonly simulation: Simulation;
  readonly monitor: InvariantMonitor;
  readonly setup: Setup;
  /** The operation that clients requested last. */
  operation = '';
  /** Number of faults that were assigned to a server. */
  #assignedFaults = 0;

  constructor(simulation: Simulation, monitor: InvariantMonitor, setup: Setup) {
    this.simulation = simulation;
    this.monitor = monitor;
    this.setup = setup;
  }

  get systems(): readonly string[] {
    return [...this.setup.members, ...this.setup.others];
  }

  get #isShared(): boolean {
    return this.setup.servers > 1 || this.simulation.store.isShared;
  }

  get liveServers(): readonly Server[] {
    return this.simulation.servers.filter(({ control }) => !control.isKilled);
  }

  get responsiveServers(): readonly Server[] {
    return this.liveServers.filter(({ control }) => !control.isFrozen);
  }

  /** An embedded store has one server at a time, so the previous one is killed. */
  async startServer(): Promise<void> {
    if (!this.#isShared) for (const { control } of this.simulation.servers) control.inject('kill_server');
    const atCommit = this.setup.faultsAtCommits[this.#assignedFaults];
    this.#assignedFaults += 1;
    await this.simulation.startServer({ isShared: this.#isShared, ...(atCommit && { atCommit }) });
  }

  get needsServer(): boolean {
    const { faultsAtCommits } = this.setup;
    return faultsAtCommits.length > 0 && this.liveServers.length === 0;
  }

  /** Kills all servers. Servers that start later have no faults. */
  killAllServers(): void {
    for (const { control } of this.simulation.servers) control.inject('kill_server');
    this.#assignedFaults = Number.POSITIVE_INFINITY;
  }
}
