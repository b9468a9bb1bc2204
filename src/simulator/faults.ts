// Faults of a simulated host. `host.addFault` adds a fault and `host.clearFaults` removes faults, at any time.
//
//     | kind           | effect                                                                                            |
//     | -------------- | ------------------------------------------------------------------------------------------------- |
//     | unreachable    | open connections break, and new connections fail                                                  |
//     | slow           | connecting takes `connectMs` longer, a command `commandMs`                                        |
//     | auth_rejected  | the host rejects every login                                                                      |
//     | no_shell       | the login succeeds, and the login shell exits before it runs the command                          |
//     | key_changed    | the host presents another host key, the same one while the fault lasts                            |
//     | frozen         | the host accepts a command and never responds; after recovery it executes the command, late;      |
//     |                | `at: 'connect'`: new connections get no response either                                           |
//     | exit           | a command exits with this code and has no effect, unless `tookEffect`                             |
//     | cut            | the connection breaks during a command, before or after the command took effect                   |
//     | reboot_late    | a requested reboot starts `byMs` later                                                            |
//     | reboot_twice   | after a requested reboot the host reboots once more by itself, `afterMs` after it came up         |
//     | reboot_loop    | after a requested reboot the host keeps rebooting by itself, `everyMs` after it came up each time |
//     | reboot_never   | a requested reboot is accepted and does not happen                                                |
//     | rolled_back    | a boot drops the staged deployment and starts the old one                                         |
//     | disk_full      | the disk is full; the command simulators define the effect                                        |
//     | run_unwritable | /run is read-only: no job starts and no reboot marker is created; a boot does not end it          |
//
// A fault without `times` lasts until it is removed. `times` and `chance` count connection attempts, commands or boots
// that the fault could affect. `on` is matched against the words of the command, joined by spaces. `exit` does not
// affect a command that only launches another one; it affects the launched command. If several faults of one kind
// match, the first one applies.

import type { Argv } from '../domain/command.ts';

interface FaultCondition {
  /** The fault ends after it has applied this many times. */
  readonly times?: number;
  /** Probability from 0 to 1; the seed makes it reproducible. */
  readonly chance?: number;
}

interface CommandCondition extends FaultCondition {
  readonly on?: RegExp;
}

export type Fault =
  | ({ readonly kind: 'unreachable' } & FaultCondition)
  | ({ readonly kind: 'slow'; readonly connectMs?: number; readonly commandMs?: number } & CommandCondition)
  | ({ readonly kind: 'auth_rejected' } & FaultCondition)
  | ({ readonly kind: 'no_shell' } & CommandCondition)
  | { readonly kind: 'key_changed' }
  | ({ readonly kind: 'frozen'; readonly at?: 'connect' | 'command' } & CommandCondition)
  | ({
      readonly kind: 'exit';
      readonly exitCode: number;
      readonly stderr?: string;
      readonly tookEffect?: boolean;
    } & CommandCondition)
  | ({ readonly kind: 'cut'; readonly tookEffect: boolean } & CommandCondition)
  | ({ readonly kind: 'reboot_late'; readonly byMs: number } & FaultCondition)
  | ({ readonly kind: 'reboot_twice'; readonly afterMs: number } & FaultCondition)
  | ({ readonly kind: 'reboot_loop'; readonly everyMs: number } & Pick<FaultCondition, 'times'>)
  | ({ readonly kind: 'reboot_never' } & FaultCondition)
  | ({ readonly kind: 'rolled_back' } & FaultCondition)
  | { readonly kind: 'disk_full' }
  | { readonly kind: 'run_unwritable' };

export type FaultKind = Fault['kind'];
type OfKind<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

interface ActiveFault {
  readonly fault: Fault;
  remaining: number;
}

const matchesCommand = (fault: Fault, argv: Argv | undefined): boolean =>
  !('on' in fault) || fault.on === undefined || (argv !== undefined && argv.join(' ').search(fault.on) !== -1);

export class Faults {
  readonly #random: (count: number) => number;
  #drawCount = 0;
  #active: ActiveFault[] = [];

  /** `random` returns a number from 0 up to 1 for the first draw, the second, and so on. */
  constructor(random: (count: number) => number) {
    this.#random = random;
  }

  add(fault: Fault): void {
    this.#active.push({
      fault,
      remaining: ('times' in fault ? fault.times : undefined) ?? Number.POSITIVE_INFINITY,
    });
  }

  remove(kind?: FaultKind): void {
    this.#active = kind === undefined ? [] : this.#active.filter(({ fault }) => fault.kind !== kind);
  }

  get all(): readonly Fault[] {
    return this.#active.map(({ fault }) => fault);
  }

  /** The first fault of this kind; does not count as one of its times. */
  find<Kind extends FaultKind>(kind: Kind): OfKind<Kind> | undefined {
    return this.all.find((fault): fault is OfKind<Kind> => fault.kind === kind);
  }

  /** Whether a lasting fault prevents every connection. A fault that ends by itself does not count. */
  get isCutOff(): boolean {
    return this.all.some(
      fault =>
        (fault.kind === 'unreachable' || (fault.kind === 'frozen' && fault.at === 'connect')) &&
        fault.times === undefined &&
        fault.chance === undefined,
    );
  }

  /** Returns the fault of this kind that applies now, if any, and counts it as one of its times. */
  takeMatching<Kind extends FaultKind>(
    kind: Kind,
    argv?: Argv,
    matches: (fault: OfKind<Kind>) => boolean = () => true,
  ): OfKind<Kind> | undefined {
    const isKind = (fault: Fault): fault is OfKind<Kind> => fault.kind === kind;
    for (const active of this.#active) {
      const { fault } = active;
      if (!isKind(fault) || !matches(fault) || !matchesCommand(fault, argv)) continue;
      const chance = 'chance' in fault ? fault.chance : undefined;
      if (chance !== undefined && this.#isSkipped(chance)) continue;
      active.remaining -= 1;
      if (active.remaining <= 0) this.#active = this.#active.filter(other => other !== active);
      return fault;
    }
    return undefined;
  }

  #isSkipped(chance: number): boolean {
    this.#drawCount += 1;
    return this.#random(this.#drawCount) >= chance;
  }
}
