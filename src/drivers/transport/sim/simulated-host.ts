import type { Address } from '../../../domain/addresses/address.ts';
import type { Argv } from '../../../domain/command.ts';
import { carryOut } from './carry-out.ts';
import { deriveChance, deriveHostKey } from './derive.ts';
import type { Fault, FaultKind } from './faults.ts';
import { Faults } from './faults.ts';
import type { HostSpec } from './host-spec.ts';
import type { JournalEntry } from './journal.ts';
import { Journal } from './journal.ts';
import type { Boot, Powered } from './power.ts';
import { Power } from './power.ts';
import type { SystemKind } from './simulated-machine.ts';
import { SimulatedMachine } from './simulated-machine.ts';
import type { DownCause, World } from './world.ts';

/** An open connection, as the host sees it. */
export interface Session {
  /** From the host's side. */
  break(reason: string): void;
}

/** One pretend host. Everything that few hosts need is made when it is needed. */
export class SimulatedHost implements Powered {
  readonly address: Address;
  readonly spec: HostSpec;
  readonly kind: SystemKind;
  readonly power: Power;
  readonly #world: World;
  #machine: SimulatedMachine | undefined;
  #hostKey: string | undefined;
  #faults: Faults | undefined;
  #journal: Journal | undefined;
  #sessions: Set<Session> | undefined;
  /** What waits for the host to thaw. */
  #stalled: (() => void)[] | undefined;
  /** Commands that it was sent. */
  commands = 0;
  #downSinceMs: number | undefined;

  constructor(world: World, address: Address, spec: HostSpec, kind: SystemKind) {
    this.#world = world;
    this.address = address;
    this.spec = spec;
    this.kind = kind;
    this.power = new Power(world, this);
    for (const fault of spec.faults ?? []) this.suffer(fault);
  }

  get machine(): SimulatedMachine {
    const hostname = this.spec.hostname ?? `host-${this.address.replaceAll(/[.:]+/g, '-')}`;
    this.#machine ??= new SimulatedMachine(hostname, this.kind, this.power, (argv, { user, isRoot }) =>
      carryOut(this.#world, this, { argv, user: isRoot ? 'root' : user, asRoot: false }),
    );
    return this.#machine;
  }

  /** The one that it shows now. */
  get hostKey(): string {
    const { seed } = this.#world;
    if (this.#faults?.has('key_changed')) return deriveHostKey(seed, `other key of ${this.address}`);
    this.#hostKey ??= deriveHostKey(seed, `key of ${this.address}`);
    return this.#hostKey;
  }

  get isUp(): boolean {
    return this.power.isUp;
  }

  /**
   * Since when no server can connect to the host, in milliseconds since 1970: the host is off, boots, or a lasting fault cuts it off.
   * `undefined`: a server can connect.
   */
  get downSinceMs(): number | undefined {
    return this.#downSinceMs;
  }

  get boots(): readonly Boot[] {
    return this.power.boots;
  }

  get bootMs(): number {
    return this.spec.bootMs ?? this.#world.times.bootMs;
  }

  /** The newest of the commands that it was sent, oldest first. */
  get journal(): readonly Readonly<JournalEntry>[] {
    return this.#journal?.entries ?? [];
  }

  get faults(): Faults | undefined {
    return this.#faults;
  }

  suffer(fault: Fault): void {
    const draw = (count: number) => deriveChance(this.#world.seed, `draw ${count} of ${this.address}`);
    this.#faults ??= new Faults(draw);
    this.#faults.add(fault);
    if (fault.kind === 'disk_full') this.machine.isDiskFull = true;
    if (fault.kind === 'run_unwritable') this.machine.isRunReadOnly = true;
    if (fault.kind === 'unreachable') this.#breakSessions('the network is gone');
    this.#updateDownSince();
  }

  /** From one kind of fault, or from all. */
  recover(kind?: FaultKind): void {
    this.#faults?.remove(kind);
    this.#updateDownSince();
    if (this.#machine !== undefined) {
      if ((kind ?? 'disk_full') === 'disk_full') this.#machine.isDiskFull = false;
      if ((kind ?? 'run_unwritable') === 'run_unwritable') this.#machine.isRunReadOnly = false;
    }
    if ((kind ?? 'frozen') !== 'frozen') return;
    const stalled = this.#stalled ?? [];
    this.#stalled = undefined;
    for (const goOn of stalled) goOn();
  }

  /** Pulls the plug: it is down until it is switched on. */
  switchOff(): void {
    this.power.off();
  }

  switchOn(): void {
    this.power.on();
  }

  wentDown(cause: DownCause): void {
    this.#stalled = undefined;
    this.#breakSessions('the host went down');
    this.#updateDownSince();
    this.#world.onDown?.(this.address, cause);
  }

  cameUp(): void {
    this.#updateDownSince();
    const isRolledBack =
      this.#machine?.staged !== undefined && this.#faults?.hit('rolled_back') !== undefined;
    this.#machine?.boot({ isRolledBack });
  }

  /** Goes on when the host thaws, unless it goes down first. */
  stall(goOn: () => void): void {
    this.#stalled ??= [];
    this.#stalled.push(goOn);
  }

  /** Writes down what it is sent; the caller fills in how it ends. */
  note(argv: Argv, asRoot: boolean): JournalEntry {
    const { clock, journalLength, counters } = this.#world;
    this.commands += 1;
    counters.commands += 1;
    const when = { atMs: clock.now(), bootId: this.power.bootId };
    const entry: JournalEntry = { ...when, argv, asRoot, tookEffect: false, outcome: 'running' };
    if (journalLength > 0) {
      this.#journal ??= new Journal(journalLength);
      this.#journal.add(entry);
    }
    return entry;
  }

  opened(session: Session): void {
    const { counters } = this.#world;
    counters.connectionsOpen += 1;
    counters.connectionsEver += 1;
    counters.connectionsMost = Math.max(counters.connectionsMost, counters.connectionsOpen);
    this.#sessions ??= new Set();
    this.#sessions.add(session);
  }

  closed(session: Session): void {
    if (this.#sessions?.delete(session)) this.#world.counters.connectionsOpen -= 1;
    if (this.#sessions?.size === 0) this.#sessions = undefined;
  }

  #updateDownSince(): void {
    const isDown = !this.power.isUp || this.#faults?.isCutOff === true;
    this.#downSinceMs = isDown ? (this.#downSinceMs ?? this.#world.clock.now()) : undefined;
  }

  #breakSessions(reason: string): void {
    for (const session of [...(this.#sessions ?? [])]) session.break(reason);
  }
}
