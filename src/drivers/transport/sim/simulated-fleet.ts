// Pretend hosts in memory, and a transport to them: for tests of everything above a transport, for trying things out, and for
// measuring. It knows no system; how hosts answer commands is said by the fakes that it is given. What must hold: with the same
// seed, the same clock and the same calls the same story comes out; a host that nobody speaks to costs hardly anything.

import type { Address } from '../../../domain/addresses/address.ts';
import type { AlarmClock } from '../../../lib/time/clock.ts';
import type { MachineFake } from '../../machine.ts';
import type { Transport } from '../transport.ts';
import type { HostSpec } from './host-spec.ts';
import type { CommandObserver, ObservedWorld } from './observed-command.ts';
import { SimulatedHost } from './simulated-host.ts';
import type { SystemKind } from './simulated-machine.ts';
import { SimulatedTransport } from './simulated-transport.ts';
import type { Counters, DownObserver, Times } from './world.ts';
import { DEFAULT_TIMES } from './world.ts';

export interface FleetOptions {
  readonly clock: AlarmClock;
  readonly fakes: {
    /** One for each kind of system. */
    readonly systems: readonly MachineFake[];
    /** For what is the same on every system; asked in this order, after the system's own. */
    readonly common?: readonly MachineFake[];
  };
  readonly seed?: number;
  readonly times?: Partial<Times>;
  /** How many of its newest commands each host remembers; 0: none. Default: 100. */
  readonly journalLength?: number;
  readonly onCommand?: CommandObserver;
}

export class SimulatedFleet {
  readonly transport: Transport;
  readonly #world: ObservedWorld;
  readonly #kinds = new Map<string, SystemKind>();
  readonly #hosts = new Map<string, SimulatedHost>();

  constructor({ clock, fakes, seed = 1, times, journalLength = 100, onCommand }: FleetOptions) {
    this.#world = {
      clock,
      seed,
      times: { ...DEFAULT_TIMES, ...times },
      journalLength,
      commonFakes: fakes.common ?? [],
      counters: { connects: 0, connectionsOpen: 0, connectionsMost: 0, connectionsEver: 0, commands: 0 },
      onCommand,
      onDown: undefined,
    };
    // Of kinds that know the same system the first has it.
    for (const fake of fakes.systems)
      for (const [os, blueprint] of Object.entries(fake.blueprints))
        if (!this.#kinds.has(os)) this.#kinds.set(os, { fake, blueprint, tools: new Set(blueprint.tools) });
    this.transport = new SimulatedTransport(this.#world, this.#hosts);
  }

  add(address: Address, spec: HostSpec): SimulatedHost {
    if (this.#hosts.has(address)) throw new Error(`there is a host at ${address} already`);
    const kind = this.#kinds.get(spec.os);
    if (kind === undefined)
      throw new Error(
        `no fake has a blueprint of ${spec.os}; there are ${[...this.#kinds.keys()].join(', ')}`,
      );
    const host = new SimulatedHost(this.#world, address, spec, kind);
    this.#hosts.set(address, host);
    return host;
  }

  host(address: Address): SimulatedHost {
    const host = this.#hosts.get(address);
    if (host === undefined) throw new Error(`there is no host at ${address}`);
    return host;
  }

  get hosts(): IterableIterator<SimulatedHost> {
    return this.#hosts.values();
  }

  get counters(): Readonly<Counters> {
    return this.#world.counters;
  }

  /** Is told of every command, and may hold it back; may be replaced at any time. */
  set onCommand(observer: CommandObserver | undefined) {
    this.#world.onCommand = observer;
  }

  /** Called when a host goes down; can be replaced at any time. */
  set onDown(observer: DownObserver | undefined) {
    this.#world.onDown = observer;
  }
}
