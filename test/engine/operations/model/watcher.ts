import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';
import { BUDGET_RULES } from './budget-rules.ts';
import { NODE_RULES, proofRule } from './node-rules.ts';
import { Reboots } from './reboots.ts';
import { RECORD_RULES } from './record-rules.ts';
import type { Rule } from './rule.ts';
import { movedBetween, Told } from './rule.ts';
import type { State } from './state.ts';
import { readRows } from './state.ts';

const CORDONED = 'cordoned by ';

/** Looks at what is stored after every commit, whoever made it. The first thing that is wrong is kept. */
export class Watcher {
  readonly told = new Told();
  readonly reboots = new Reboots();
  readonly #store: ReusedStore;
  readonly #rules: readonly Rule[] = [...RECORD_RULES, ...BUDGET_RULES, ...NODE_RULES, proofRule()];
  #simulation: Simulation | undefined;
  #state: State | undefined;
  violation: string | undefined;

  constructor(store: ReusedStore) {
    this.#store = store;
  }

  /** From now on. */
  async begin(simulation: Simulation): Promise<void> {
    this.#simulation = simulation;
    await this.look();
    simulation.fleet.onCommand = command => {
      this.violation ??= this.reboots.problemOf(command, this.state);
    };
  }

  get state(): State {
    if (this.#state === undefined) throw new Error('nobody has looked yet');
    return this.#state;
  }

  async look(): Promise<void> {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    const rows = await readRows(this.#store);
    const remembered = rows.memory.map(
      ({ key, value }) =>
        [key as Address, value.startsWith(CORDONED) ? value.slice(CORDONED.length) : undefined] as const,
    );
    const known = simulation.manager.nodes.map(node => [node.address, node.cordonedBy] as const);
    const after = { ...rows, nodes: new Map([...remembered, ...known]), nowMs: simulation.clock.now() };
    const before = this.#state ?? after;
    this.#state = after;
    const machineAt = (address: Address) => simulation.fleet.host(address);
    const commit = { before, after, moved: movedBetween(before, after), told: this.told, machineAt };
    for (const rule of this.#rules) this.violation ??= rule(commit);
  }
}
