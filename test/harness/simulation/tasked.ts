// A container manager and a network that have hosts do something when they come and go. What must hold: their state is their own and not
// of a server, so it outlives those that are killed; what a host has done is on that host.

import Type from 'typebox';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { CommandPlan } from '../../../src/drivers/command-plan.ts';
import type { ContainerManagerDriver } from '../../../src/drivers/container-manager/container-manager.ts';
import type { Drivers } from '../../../src/drivers/index.ts';
import { drivers } from '../../../src/drivers/index.ts';
import type { NetworkDriver } from '../../../src/drivers/network/network.ts';
import type { CommandSimulator } from '../../../src/simulator/simulated-machine.ts';
import { simulatedResult } from '../../../src/simulator/simulated-machine.ts';

export const TOKEN = 'a token that nobody sees';

const NO_OPTIONS = Type.Object({}, { additionalProperties: false });
const NOBODY_ASKS = async (): Promise<never> => {
  throw new Error('nobody asks this here');
};
const task = (...commands: CommandPlan['commands'][number][]): CommandPlan => ({
  requiredPrograms: ['noded'],
  installHint: 'install noded',
  commands,
});

export class Tasked {
  /** What the servers know, by host. */
  readonly nodes = new Set<Address>();
  readonly leases = new Set<Address>();
  /** Tokens that were made ready for a join and not taken back yet. */
  readonly openTokens = new Set<Address>();
  /** Why no host can enter the network; `undefined`: they can. */
  networkProblem: string | undefined;
  isManagerAway = false;
  /** Nodes whose agent is not heard of any more. */
  readonly silent = new Set<Address>();
  readonly #addressOf: (hostname: string) => Address;

  /** A pretend host is known by its name. */
  constructor(addressOf: (hostname: string) => Address) {
    this.#addressOf = addressOf;
  }

  get drivers(): Drivers {
    return {
      ...drivers,
      container_manager: [...drivers.container_manager, this.#manager],
      network: [...drivers.network, this.#network],
    };
  }

  readonly #answering = <T>(answer: () => T) => {
    if (this.isManagerAway) throw new Error('it is away');
    return answer();
  };

  readonly #manager: ContainerManagerDriver = {
    type: 'tasked',
    summary: 'For tests',
    options: NO_OPTIONS,
    open: () => ({
      checkConnection: async () => this.#answering(() => ({ version: '1', problems: [] })),
      joinPlan: async ({ address }) => {
        this.openTokens.add(address);
        return task(
          { argv: ['noded', 'take-token'], input: new Secret(`${TOKEN}\n`) },
          { argv: ['noded', 'join'] },
        );
      },
      register: async ({ address }) => {
        if (!this.#answering(() => this.nodes.has(address))) return 'noded has not turned up yet';
        this.openTokens.delete(address);
        return undefined;
      },
      remove: async node => this.#answering(() => void this.nodes.delete(node)),
      leavePlan: async () => ({ ...task({ argv: ['noded', 'leave'] }), requiredPrograms: [] }),
      report: async node =>
        this.#answering(() =>
          this.nodes.has(node)
            ? { state: 'registered', name: node, ready: !this.silent.has(node), schedulable: true }
            : { state: 'unknown' },
        ),
      ...{ cordon: NOBODY_ASKS, uncordon: NOBODY_ASKS, drain: NOBODY_ASKS, checkDisruption: NOBODY_ASKS },
      controlPlane: async () => [],
    }),
  };

  readonly #network: NetworkDriver = {
    type: 'tasked',
    summary: 'For tests',
    options: NO_OPTIONS,
    joinsAs: 'host',
    open: () => ({
      checkConnection: async () => ({ version: '1', problems: [] }),
      ensureConfigured: async () => this.networkProblem,
      joinPlan: async () => ({
        ...task({ argv: ['netd', 'up'] }),
        readyQuery: {
          argv: ['netd', 'prove'],
          parse: ({ exitCode }) => (exitCode === 0 ? '' : 'netd is not up'),
        },
      }),
      leavePlan: async () => ({ ...task({ argv: ['netd', 'down'] }), requiredPrograms: [] }),
      releaseHost: async node => void this.leases.delete(node),
    }),
  };

  /** How a pretend host carries out what it is told to. Services are there after a boot too. */
  readonly fake: CommandSimulator = {
    templates: {},
    execute: ({ hostname, runFiles, services }, [program, verb], { input }) => {
      const address = this.#addressOf(hostname);
      if (program === 'netd') {
        if (verb === 'prove') return simulatedResult(services.has('netd') ? 0 : 1);
        if (verb === 'up') {
          services.add('netd');
          this.leases.add(address);
        } else services.delete('netd');
        return simulatedResult(0);
      }
      if (program !== 'noded') return undefined;
      if (verb === 'take-token') runFiles.set('noded.token', input ?? '');
      else if (verb === 'leave') services.delete('noded');
      else if (runFiles.get('noded.token')?.trim() !== TOKEN)
        return simulatedResult(1, '', 'noded: no token\n');
      else {
        services.add('noded');
        this.nodes.add(address);
        this.silent.delete(address);
      }
      return simulatedResult(0);
    },
  };
}
