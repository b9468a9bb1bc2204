// Simulated hosts in memory with a transport, for tests, demos and benchmarks. The fleet does not know any OS: command
// simulators define how hosts respond. Invariants: the same seed, clock and calls give the same results; an idle host
// costs almost no memory.

import type { Address } from '../domain/addresses/address.ts';
import type { Transport } from '../drivers/transport/transport.ts';
import type { TimerClock } from '../lib/time/clock.ts';
import type { CommandObserver, ObservedSimulation } from './run-command.ts';
import { SimulatedHost } from './simulated-host.ts';
import type { CommandSimulator, SimulatedOs } from './simulated-machine.ts';
import { createSimulatedTransport } from './simulated-transport.ts';
import type { Counters, DownObserver, Latencies, SimulatedHostSpec } from './simulation-context.ts';
import { DEFAULT_LATENCIES } from './simulation-context.ts';

export interface FleetOptions {
  readonly clock: TimerClock;
  readonly simulators: {
    readonly systems: readonly CommandSimulator[];
    /** For commands of every OS; tried in this order, after the simulator of the OS. */
    readonly common?: readonly CommandSimulator[];
  };
  readonly seed?: number;
  readonly latencies?: Partial<Latencies>;
  /** Number of latest commands that each host keeps; 0: none. Default: 100. */
  readonly journalLength?: number;
  readonly onCommand?: CommandObserver;
}

export class SimulatedFleet {
  readonly transport: Transport;
  readonly #context: ObservedSimulation;
  readonly #systems = new Map<string, SimulatedOs>();
  readonly #hosts = new Map<string, SimulatedHost>();

  constructor({ clock, simulators, seed = 1, latencies, journalLength = 100, onCommand }: FleetOptions) {
    this.#context = {
      clock,
      seed,
      latencies: { ...DEFAULT_LATENCIES, ...latencies },
      journalLength,
      commonSimulators: simulators.common ?? [],
      counters: {
        connectAttempts: 0,
        connectionsOpen: 0,
        maxConnectionsOpen: 0,
        connectionsTotal: 0,
        commands: 0,
      },
      onCommand,
      onDown: undefined,
    };
    // If several simulators have the same OS, the first one wins.
    for (const simulator of simulators.systems)
      for (const [os, template] of Object.entries(simulator.templates))
        if (!this.#systems.has(os)) this.#systems.set(os, { simulator, template, tools: new Set(template.tools) });
    this.transport = createSimulatedTransport(this.#context, this.#hosts);
  }

  add(address: Address, spec: SimulatedHostSpec): SimulatedHost {
    if (this.#hosts.has(address)) throw new Error(`there is a host at ${address} already`);
    const system = this.#systems.get(spec.os);
    if (system === undefined)
      throw new Error(`no simulator has a template for ${spec.os}; available: ${[...this.#systems.keys()].join(', ')}`);
    const host = new SimulatedHost(this.#context, address, spec, system);
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
    return this.#context.counters;
  }

  /** Called for every command and can hold it back; can be replaced at any time. */
  set onCommand(observer: CommandObserver | undefined) {
    this.#context.onCommand = observer;
  }

  /** Called when a host goes down; can be replaced at any time. */
  set onDown(observer: DownObserver | undefined) {
    this.#context.onDown = observer;
  }
}
