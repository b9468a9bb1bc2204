// A container manager and a network that run commands when hosts join and leave. Their state belongs to no
// server, so it survives killed servers; the effects of commands are on the host.

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
import { ManagerFaults } from './manager-faults.ts';

export const TOKEN = 'secret join token';

const NO_OPTIONS = Type.Object({}, { additionalProperties: false });
const NOT_IMPLEMENTED = async (): Promise<never> => {
  throw new Error('not implemented');
};
const createPlan = (...commands: CommandPlan['commands'][number][]): CommandPlan => ({
  requires: { programs: ['noded'], installHint: 'install noded' },
  commands,
});

export class SetupDrivers {
  readonly nodes = new Set<Address>();
  readonly leases = new Set<Address>();
  /** Tokens created for a join and not yet revoked. */
  readonly openTokens = new Set<Address>();
  /** Reason why no host can join the network. */
  networkError: string | undefined;
  readonly managerFaults = new ManagerFaults();
  /** Nodes with an unresponsive agent. */
  readonly unreadyNodes = new Set<Address>();
  readonly #findAddress: (hostname: string) => Address;

  /** Simulated hosts are known by their host name. */
  constructor(findAddress: (hostname: string) => Address) {
    this.#findAddress = findAddress;
  }

  get drivers(): Drivers {
    return {
      ...drivers,
      container_manager: [...drivers.container_manager, this.#manager],
      network: [...drivers.network, this.#network],
    };
  }

  readonly #whenAvailable = async <T>(respond: () => T) => {
    const hanging = this.managerFaults.check();
    if (hanging) await hanging;
    return respond();
  };

  readonly #manager: ContainerManagerDriver = {
    type: 'tasked',
    summary: 'For tests',
    options: NO_OPTIONS,
    open: () => ({
      checkConnection: async () => this.#whenAvailable(() => ({ version: '1', problems: [] })),
      joinPlan: async ({ address }) => {
        this.openTokens.add(address);
        return createPlan(
          { argv: ['noded', 'take-token'], input: new Secret(`${TOKEN}\n`) },
          { argv: ['noded', 'join'] },
        );
      },
      register: async ({ address }) => {
        if (!(await this.#whenAvailable(() => this.nodes.has(address)))) return 'noded has not turned up yet';
        this.openTokens.delete(address);
        return undefined;
      },
      remove: async node => this.#whenAvailable(() => void this.nodes.delete(node)),
      leavePlan: async () => ({ commands: [{ argv: ['noded', 'leave'] }] }),
      report: async node =>
        this.#whenAvailable(() =>
          this.nodes.has(node)
            ? { state: 'registered', name: node, ready: !this.unreadyNodes.has(node), schedulable: true }
            : { state: 'unknown' },
        ),
      ...{
        cordon: NOT_IMPLEMENTED,
        uncordon: NOT_IMPLEMENTED,
        drain: NOT_IMPLEMENTED,
        checkDisruption: NOT_IMPLEMENTED,
      },
      controlPlane: async () => [],
    }),
  };

  readonly #network: NetworkDriver = {
    type: 'tasked',
    summary: 'For tests',
    options: NO_OPTIONS,
    open: () => ({
      joinsAs: 'host',
      checkConnection: async () => ({ version: '1', problems: [] }),
      ensureConfigured: async () => this.networkError,
      joinPlan: async () => ({
        ...createPlan({ argv: ['netd', 'up'] }),
        readyQuery: {
          argv: ['netd', 'prove'],
          parse: ({ exitCode }) => (exitCode === 0 ? '' : 'netd is not up'),
        },
      }),
      leavePlan: async () => ({ commands: [{ argv: ['netd', 'down'] }] }),
      releaseHost: async node => void this.leases.delete(node),
    }),
  };

  /** Runs the commands on simulated hosts. Services survive a reboot. */
  readonly simulator: CommandSimulator = {
    templates: {},
    execute: ({ hostname, runFiles, services }, [program, verb], { input }) => {
      const address = this.#findAddress(hostname);
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
      else if (runFiles.get('noded.token')?.trim() !== TOKEN) return simulatedResult(1, '', 'noded: no token\n');
      else {
        services.add('noded');
        this.nodes.add(address);
        this.unreadyNodes.delete(address);
      }
      return simulatedResult(0);
    },
  };
}
