import type { Address } from '../../../../src/domain/addresses/address.ts';
import type { SimulatedHost } from '../../../../src/simulator/simulated-host.ts';
import type { ReusedStore } from '../../../harness/simulation/reused-store.ts';
import type { Simulation } from '../../../harness/simulation/simulation.ts';
import { BUDGET_INVARIANTS, SlotLog } from './invariants/budget.ts';
import { deadlineInvariant } from './invariants/deadlines.ts';
import { DownHosts } from './invariants/down-hosts.ts';
import { FAILURE_INVARIANTS } from './invariants/failures.ts';
import { ignoredInvariant } from './invariants/ignored.ts';
import type { Invariant } from './invariants/invariant.ts';
import { AcknowledgedRequests, movedBetween } from './invariants/invariant.ts';
import { doneInvariant, NODE_INVARIANTS } from './invariants/nodes.ts';
import { progressInvariant } from './invariants/progress.ts';
import { RECORD_INVARIANTS } from './invariants/records.ts';
import { unreachableInvariant } from './invariants/unreachable.ts';
import { RebootCommands } from './reboot-commands.ts';
import type { State } from './stored-state.ts';
import { readRows } from './stored-state.ts';
import { UndisturbedTime } from './undisturbed-time.ts';

const CORDONED = 'cordoned by ';

export interface StateChange {
  readonly atMs: number;
  readonly operation: string;
  /** `paused(REASON)` for a paused operation. */
  readonly state: string;
  readonly problem: string;
}

interface Observed {
  readonly simulation: Simulation;
  readonly commands: RebootCommands;
  readonly time: UndisturbedTime;
  readonly invariants: readonly Invariant[];
}

/**
 * Checks the stored rows after every commit of every server, and the hosts after every reboot. Keeps the
 * first violation.
 */
export class InvariantMonitor {
  readonly acknowledged = new AcknowledgedRequests();
  /** States of all operations, oldest first. */
  readonly stateChanges: StateChange[] = [];
  readonly #store: ReusedStore;
  #observed: Observed | undefined;
  #state: State | undefined;
  violation: string | undefined;

  constructor(store: ReusedStore) {
    this.#store = store;
  }

  async start(simulation: Simulation): Promise<void> {
    const slots = new SlotLog();
    const downHosts = new DownHosts(slots, address => simulation.fleet.host(address));
    const commands = new RebootCommands(simulation);
    this.#observed = {
      simulation,
      commands,
      time: new UndisturbedTime(simulation),
      invariants: [
        slots.record,
        downHosts.recordMembers,
        ...RECORD_INVARIANTS,
        ...BUDGET_INVARIANTS,
        ...NODE_INVARIANTS,
        doneInvariant(),
        ...FAILURE_INVARIANTS,
        deadlineInvariant(),
        progressInvariant(),
        ignoredInvariant(),
        unreachableInvariant(),
      ],
    };
    await this.check();
    simulation.fleet.onCommand = command => {
      this.violation ??= commands.check(command, this.state);
    };
    simulation.fleet.onDown = (address, cause) => {
      const host = simulation.fleet.host(address);
      const accepted = cause === 'requested' ? commands.acceptedBy(address) : undefined;
      if (accepted)
        this.violation ??= downHosts.checkReboot({ host, accepted, nowMs: simulation.clock.now() }, this.state);
    };
  }

  get state(): State {
    if (this.#state === undefined) throw new Error('the monitor was not started');
    return this.#state;
  }

  replayReboot(address: Address): void {
    this.#observed?.commands.replay(address);
  }

  async check(): Promise<void> {
    if (this.#observed === undefined) return;
    const { simulation, time, invariants } = this.#observed;
    const rows = await readRows(this.#store);
    time.update();
    const remembered = rows.memory.map(
      ({ key, value }) =>
        [key as Address, value.startsWith(CORDONED) ? value.slice(CORDONED.length) : undefined] as const,
    );
    const simulated = simulation.manager.nodes.map(node => [node.address, node.cordonedBy] as const);
    const after = { ...rows, nodes: new Map([...remembered, ...simulated]), nowMs: simulation.clock.now() };
    const before = this.#state ?? after;
    this.#state = after;
    this.#recordStates(before, after);
    const machineAt = (address: Address): SimulatedHost => simulation.fleet.host(address);
    const { acknowledged } = this;
    const commit = { before, after, moved: movedBetween(before, after), acknowledged, time, machineAt };
    for (const invariant of invariants) this.violation ??= invariant(commit);
  }

  #recordStates(before: State, after: State): void {
    for (const { id, state, pause_reason: pause, problem } of after.operations) {
      const previous = before.operations.find(operation => operation.id === id);
      if (previous?.state === state && previous.pause_reason === pause) continue;
      const name = pause === null ? state : `${state}(${pause})`;
      this.stateChanges.push({ atMs: after.nowMs, operation: id, state: name, problem });
    }
  }
}
