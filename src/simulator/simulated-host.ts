import type { Address } from '../domain/addresses/address.ts';
import type { Argv } from '../domain/command.ts';
import type { TransportFailureKind } from '../domain/transport-failure.ts';
import { executeCommand } from './execute-command.ts';
import type { Fault, FaultKind } from './faults.ts';
import { Faults } from './faults.ts';
import type { Boot, PowerListener } from './power.ts';
import { PowerState } from './power.ts';
import type { SimulatedOs } from './simulated-machine.ts';
import { SimulatedMachine } from './simulated-machine.ts';
import type { DownCause, SimulatedHostSpec, SimulationContext } from './simulation-context.ts';
import { deriveHostKey, deriveRandom } from './simulation-context.ts';

export interface JournalEntry {
  readonly atMs: number;
  readonly bootId: string;
  readonly argv: Argv;
  readonly asRoot: boolean;
  /** Whether the host executed the command, regardless of the outcome that the client saw. */
  tookEffect: boolean;
  /** The outcome for the client: the exit code or the transport failure. */
  outcome: number | TransportFailureKind | 'running';
}

export interface Session {
  break(reason: string): void;
}

/** Rarely needed fields are created on first use, because a fleet can have 100,000 hosts. */
export class SimulatedHost implements PowerListener {
  readonly address: Address;
  readonly spec: SimulatedHostSpec;
  readonly system: SimulatedOs;
  readonly power: PowerState;
  readonly #context: SimulationContext;
  #machine: SimulatedMachine | undefined;
  #hostKey: string | undefined;
  faults: Faults | undefined;
  #journal: JournalEntry[] | undefined;
  #sessions: Set<Session> | undefined;
  /** Commands that wait until a `frozen` fault ends. */
  #heldCommands: (() => void)[] | undefined;
  commands = 0;
  /** In milliseconds since 1970; `undefined` if a server can connect. */
  downSinceMs: number | undefined;

  constructor(context: SimulationContext, address: Address, spec: SimulatedHostSpec, system: SimulatedOs) {
    this.#context = context;
    this.address = address;
    this.spec = spec;
    this.system = system;
    this.power = new PowerState(context, this);
    for (const fault of spec.faults ?? []) this.addFault(fault);
  }

  get machine(): SimulatedMachine {
    const hostname = this.spec.hostname ?? `host-${this.address.replaceAll(/[.:]+/g, '-')}`;
    this.#machine ??= new SimulatedMachine(hostname, this.system, this.power, (argv, { user, isRoot }) =>
      executeCommand(this.#context, this, { argv, user: isRoot ? 'root' : user, asRoot: false }),
    );
    return this.#machine;
  }

  get hostKey(): string {
    const { seed } = this.#context;
    if (this.faults?.find('key_changed')) return deriveHostKey(seed, `other key of ${this.address}`);
    this.#hostKey ??= deriveHostKey(seed, `key of ${this.address}`);
    return this.#hostKey;
  }

  get isUp(): boolean {
    return this.power.isUp;
  }

  get boots(): readonly Boot[] {
    return this.power.boots;
  }

  get journal(): readonly Readonly<JournalEntry>[] {
    return this.#journal ?? [];
  }

  addFault(fault: Fault): void {
    const random = (count: number) => deriveRandom(this.#context.seed, `draw ${count} of ${this.address}`);
    this.faults ??= new Faults(random);
    this.faults.add(fault);
    if (fault.kind === 'disk_full') this.machine.isDiskFull = true;
    if (fault.kind === 'run_unwritable') this.machine.isRunReadOnly = true;
    if (fault.kind === 'unreachable') this.#breakSessions('the network is down');
    this.#updateDownSince();
  }

  clearFaults(kind?: FaultKind): void {
    this.faults?.remove(kind);
    this.#updateDownSince();
    if (this.#machine !== undefined) {
      if ((kind ?? 'disk_full') === 'disk_full') this.#machine.isDiskFull = false;
      if ((kind ?? 'run_unwritable') === 'run_unwritable') this.#machine.isRunReadOnly = false;
    }
    if ((kind ?? 'frozen') !== 'frozen') return;
    const heldCommands = this.#heldCommands ?? [];
    this.#heldCommands = undefined;
    for (const resume of heldCommands) resume();
  }

  powerOff(): void {
    this.power.powerOff();
  }

  powerOn(): void {
    this.power.powerOn();
  }

  onPowerDown(cause: DownCause): void {
    this.#heldCommands = undefined;
    this.#breakSessions('the host went down');
    this.#updateDownSince();
    this.#context.onDown?.(this.address, cause);
  }

  onPowerUp(): void {
    this.#updateDownSince();
    const isRolledBack = this.#machine?.staged !== undefined && this.faults?.takeMatching('rolled_back') !== undefined;
    this.#machine?.boot(isRolledBack);
  }

  /** Calls `resume` when the `frozen` fault ends, unless the host goes down first. */
  holdUntilRecovered(resume: () => void): void {
    this.#heldCommands ??= [];
    this.#heldCommands.push(resume);
  }

  logCommand(argv: Argv, asRoot: boolean): JournalEntry {
    const { clock, journalLength, counters } = this.#context;
    this.commands += 1;
    counters.commands += 1;
    const [atMs, bootId] = [clock.now(), this.power.bootId];
    const entry: JournalEntry = { atMs, bootId, argv, asRoot, tookEffect: false, outcome: 'running' };
    if (journalLength > 0) {
      this.#journal ??= [];
      this.#journal.push(entry);
      if (this.#journal.length > journalLength) this.#journal.shift();
    }
    return entry;
  }

  sessionOpened(session: Session): void {
    const { counters } = this.#context;
    counters.connectionsOpen += 1;
    counters.connectionsTotal += 1;
    counters.maxConnectionsOpen = Math.max(counters.maxConnectionsOpen, counters.connectionsOpen);
    this.#sessions ??= new Set();
    this.#sessions.add(session);
  }

  sessionClosed(session: Session): void {
    if (this.#sessions?.delete(session)) this.#context.counters.connectionsOpen -= 1;
    if (this.#sessions?.size === 0) this.#sessions = undefined;
  }

  #updateDownSince(): void {
    const isDown = !this.power.isUp || this.faults?.isCutOff === true;
    this.downSinceMs = isDown ? (this.downSinceMs ?? this.#context.clock.now()) : undefined;
  }

  #breakSessions(reason: string): void {
    for (const session of [...(this.#sessions ?? [])]) session.break(reason);
  }
}
