// The hosts, the people and the servers of a history: what deeds are done with.

import type { Address } from '../../../../src/domain/addresses/address.ts';
import { recordNameOf } from '../../../../src/domain/record-name.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';
import type { Server } from '../../../harness/simulation/world.ts';
import type { HostPlace, Setup } from './history.ts';
import type { Watcher } from './watcher.ts';

export const CLUSTER = recordNameOf('web');
export const MANAGER = recordNameOf('nodes');

export const addressOf = (place: HostPlace): Address => `127.0.0.${place + 1}` as Address;

export class Cast {
  readonly simulation: Simulation;
  readonly watcher: Watcher;
  readonly setup: Setup;
  /** The operation that people speak of: the one they have asked for last. */
  operation = '';
  /** How many of the deaths have been died. */
  #deaths = 0;

  constructor(simulation: Simulation, watcher: Watcher, setup: Setup) {
    this.simulation = simulation;
    this.watcher = watcher;
    this.setup = setup;
  }

  get systems(): readonly string[] {
    return [...this.setup.members, ...this.setup.others];
  }

  get #isShared(): boolean {
    return this.setup.servers > 1 || this.simulation.store.isShared;
  }

  get awake(): readonly Server[] {
    return this.simulation.servers.filter(({ control }) => !control.isDead && !control.isFrozen);
  }

  /** A store that is not shared has one server at a time: the one before is gone. */
  async startServer(): Promise<void> {
    if (!this.#isShared) for (const { control } of this.simulation.servers) control.kill();
    const crash = this.setup.deaths[this.#deaths];
    this.#deaths += 1;
    await this.simulation.startServer({ isShared: this.#isShared, ...(crash && { crash }) });
  }

  /** Whether the next of those who are to die has to begin. */
  get isOrphaned(): boolean {
    const { deaths } = this.setup;
    return deaths.length > 0 && this.simulation.servers.every(({ control }) => control.isDead);
  }

  async killAll(): Promise<void> {
    for (const { control } of this.simulation.servers) control.kill();
    this.#deaths = Number.POSITIVE_INFINITY;
  }
}
