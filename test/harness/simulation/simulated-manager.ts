// A container manager in memory for behaviour that `trivial` lacks: slow or blocked pods, late nodes and
// manual cordons. Its state belongs to no server, so it survives killed servers.

import Type from 'typebox';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { sortAddresses } from '../../../src/domain/addresses/address.ts';
import type {
  ContainerManager,
  ContainerManagerDriver,
  NodeReport,
} from '../../../src/drivers/container-manager/container-manager.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';
import type { FaultTarget, ManagerFault } from '../faults.ts';
import type { ManagerCallName } from './manager-faults.ts';
import { ManagerFaults } from './manager-faults.ts';
import type { BootDelays } from './simulated-node.ts';
import { SimulatedNode } from './simulated-node.ts';

export interface ManagerCall {
  readonly atMs: number;
  readonly name: ManagerCallName;
  readonly args: readonly unknown[];
  /** The result, or the thrown error. */
  readonly result: unknown;
}

export interface CordonChange {
  readonly atMs: number;
  readonly node: Address;
  /** null: the node is schedulable. */
  readonly cordonedBy: string | null;
}

interface ManagerOptions {
  readonly clock: Clock;
  /** Oldest first. Default: boot IDs are not reported. */
  readonly bootsOf?: (node: Address) => readonly { readonly bootId: string; readonly atMs: number }[];
}

export class SimulatedManager implements FaultTarget<ManagerFault> {
  readonly driver: ContainerManagerDriver = {
    type: 'simulated',
    summary: 'For tests',
    options: Type.Object({}, { additionalProperties: false }),
    open: ({ mayProceed }) => this.#open(mayProceed),
  };
  /** Oldest first. */
  readonly calls: ManagerCall[] = [];
  readonly cordonChanges: CordonChange[] = [];
  controlPlane: readonly Address[] = [];
  bootDelays: BootDelays = { reportedAfterMs: 0, readyAfterMs: 0 };
  readonly #clock: Clock;
  readonly #bootsOf: NonNullable<ManagerOptions['bootsOf']>;
  readonly #nodes = new Map<Address, SimulatedNode>();
  readonly #faults = new ManagerFaults();

  constructor({ clock, bootsOf = () => [] }: ManagerOptions) {
    this.#clock = clock;
    this.#bootsOf = bootsOf;
  }

  /** Sorted by address. */
  get nodes(): readonly SimulatedNode[] {
    return sortAddresses(this.#nodes.keys()).map(address => this.node(address));
  }

  node(address: Address): SimulatedNode {
    const node = this.#nodes.get(address);
    if (node === undefined) throw new Error(`${address} is not a node of this container manager`);
    return node;
  }

  /** Affects these calls, or all. */
  inject(fault: ManagerFault, ...calls: readonly ManagerCallName[]): void {
    this.#faults.inject(fault, ...calls);
  }

  revert(fault: ManagerFault): void {
    this.#faults.revert(fault);
  }

  #open(mayProceed: () => boolean): ContainerManager {
    const fenced = <T>(name: ManagerCallName, args: readonly unknown[], run: () => T) =>
      this.#respond(name, args, () => {
        if (!mayProceed()) throw new Error('too late');
        return run();
      });
    return {
      checkConnection: () => this.#respond('checkConnection', [], () => ({ version: '', problems: [] })),
      joinPlan: host => this.#respond('joinPlan', [host.address], () => null),
      register: host => fenced('register', [host.address], () => this.#register(host.address)),
      remove: node => fenced('remove', [node], () => void this.#nodes.delete(node)),
      leavePlan: host => this.#respond('leavePlan', [host.address], () => null),
      report: node => this.#respond('report', [node], () => this.#report(node)),
      cordon: (node, owner) => fenced('cordon', [node, owner], () => this.node(node).cordon(owner)),
      uncordon: (node, owner) =>
        fenced('uncordon', [node, owner], () => this.#nodes.get(node)?.uncordon(owner) ?? 'not_owner'),
      drain: (node, options) => fenced('drain', [node, options], () => this.node(node).pods.drain(options)),
      checkDisruption: node => this.#respond('checkDisruption', [node], () => this.node(node).disruptionError),
      controlPlane: () => this.#respond('controlPlane', [], () => this.controlPlane),
    };
  }

  async #respond<T>(name: ManagerCallName, args: readonly unknown[], run: () => T): Promise<T> {
    const call = { atMs: this.#clock.now(), name, args };
    try {
      const hanging = this.#faults.check(name);
      if (hanging) await hanging;
      const result = run();
      this.calls.push({ ...call, result });
      return result;
    } catch (error) {
      this.calls.push({ ...call, result: error });
      throw error;
    }
  }

  #register(node: Address): undefined {
    if (this.#nodes.has(node)) return;
    const onCordonChange = (cordonedBy: string | undefined) =>
      this.cordonChanges.push({ atMs: this.#clock.now(), node, cordonedBy: cordonedBy ?? null });
    this.#nodes.set(node, new SimulatedNode(node, this.#clock, onCordonChange));
  }

  #report(node: Address): NodeReport {
    return this.#nodes.get(node)?.report(this.#bootsOf(node), this.bootDelays) ?? { state: 'unknown' };
  }
}
