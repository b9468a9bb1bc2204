// A container manager in memory, for what `trivial` cannot do: pods that take their time or refuse, nodes that are ready late, people
// who cordon too. What must hold: its state is its own and not of a server, so it outlives those that are killed.

import Type from 'typebox';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { sortAddresses } from '../../../src/domain/addresses/address.ts';
import type {
  ContainerManager,
  ContainerManagerDriver,
  NodeReport,
} from '../../../src/drivers/container-manager/container-manager.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';
import type { BootDelays } from './simulated-node.ts';
import { SimulatedNode } from './simulated-node.ts';

type CallName = keyof ContainerManager;

/** A call that came in. */
export interface ManagerCall {
  readonly atMs: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
  /** What was answered, or the error that was thrown. */
  readonly answer: unknown;
}

/** A node was cordoned, taken over or uncordoned, by whomever. */
export interface CordonChange {
  readonly atMs: number;
  readonly node: Address;
  /** null: it can be scheduled to again. */
  readonly cordonedBy: string | null;
}

interface ManagerOptions {
  readonly clock: Clock;
  /** Oldest first. Default: it does not tell boots. */
  readonly bootsOf?: (node: Address) => readonly { readonly bootId: string; readonly atMs: number }[];
}

export class SimulatedManager {
  readonly driver: ContainerManagerDriver = {
    type: 'simulated',
    summary: 'For tests',
    options: Type.Object({}, { additionalProperties: false }),
    open: ({ mayProceed }) => this.#open(mayProceed),
  };
  /** All of them, oldest first. */
  readonly calls: ManagerCall[] = [];
  readonly cordonChanges: CordonChange[] = [];
  controlPlane: readonly Address[] = [];
  bootDelays: BootDelays = { heardAfterMs: 0, readyAfterMs: 0 };
  readonly #clock: Clock;
  readonly #bootsOf: NonNullable<ManagerOptions['bootsOf']>;
  readonly #nodes = new Map<Address, SimulatedNode>();
  #isBroken = (_name: CallName) => false;
  #isHanging = (_name: CallName) => false;

  constructor({ clock, bootsOf = () => [] }: ManagerOptions) {
    this.#clock = clock;
    this.#bootsOf = bootsOf;
  }

  /** By address. */
  get nodes(): readonly SimulatedNode[] {
    return sortAddresses(this.#nodes.keys()).map(address => this.node(address));
  }

  node(address: Address): SimulatedNode {
    const node = this.#nodes.get(address);
    if (node === undefined) throw new Error(`${address} is not a node of this container manager`);
    return node;
  }

  /** From now on these calls throw and do nothing; without names, all of them. */
  breakDown(...names: readonly CallName[]): void {
    this.#isBroken = name => names.length === 0 || names.includes(name);
  }

  /** From now on these calls do nothing and are never answered. */
  hang(...names: readonly CallName[]): void {
    this.#isHanging = name => names.includes(name);
  }

  mend(): void {
    this.#isBroken = () => false;
    this.#isHanging = () => false;
  }

  #open(mayProceed: () => boolean): ContainerManager {
    const sent = <T>(name: CallName, args: readonly unknown[], work: () => T) =>
      this.#answer(name, args, () => {
        if (!mayProceed()) throw new Error('too late');
        return work();
      });
    return {
      checkConnection: () => this.#answer('checkConnection', [], () => ({ version: '', problems: [] })),
      joinPlan: host => this.#answer('joinPlan', [host.address], () => null),
      register: host => sent('register', [host.address], () => this.#register(host.address)),
      remove: node => sent('remove', [node], () => void this.#nodes.delete(node)),
      leavePlan: host => this.#answer('leavePlan', [host.address], () => null),
      report: node => this.#answer('report', [node], () => this.#report(node)),
      cordon: (node, mark) => sent('cordon', [node, mark], () => this.node(node).cordon(mark)),
      uncordon: (node, mark) =>
        sent('uncordon', [node, mark], () => this.#nodes.get(node)?.uncordon(mark) ?? 'not_owner'),
      drain: (node, how) => sent('drain', [node, how], () => this.node(node).pods.drain(how)),
      checkDisruption: node =>
        this.#answer('checkDisruption', [node], () => this.node(node).disruptionProblem),
      controlPlane: () => this.#answer('controlPlane', [], () => this.controlPlane),
    };
  }

  async #answer<T>(name: CallName, args: readonly unknown[], work: () => T): Promise<T> {
    const call = { atMs: this.#clock.now(), name, args };
    try {
      if (this.#isHanging(name)) await new Promise<never>(() => {});
      if (this.#isBroken(name)) throw new Error('it is away');
      const answer = work();
      this.calls.push({ ...call, answer });
      return answer;
    } catch (error) {
      this.calls.push({ ...call, answer: error });
      throw error;
    }
  }

  #register(node: Address): undefined {
    if (this.#nodes.has(node)) return;
    const told = (cordonedBy: string | undefined) =>
      this.cordonChanges.push({ atMs: this.#clock.now(), node, cordonedBy: cordonedBy ?? null });
    this.#nodes.set(node, new SimulatedNode(node, this.#clock, told));
  }

  #report(node: Address): NodeReport {
    return this.#nodes.get(node)?.report(this.#bootsOf(node), this.bootDelays) ?? { state: 'unknown' };
  }
}
