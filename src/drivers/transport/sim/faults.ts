// What can be wrong with a pretend host. Faults are set and taken away at any time, by `host.suffer` and `host.recover`.
//
// | kind          | what happens                                                                                    |
// | ------------- | ----------------------------------------------------------------------------------------------- |
// | unreachable   | open connections break, and no new one comes about                                              |
// | slow          | connecting takes `connectMs` longer, a command `commandMs`                                      |
// | auth_rejected | nobody is let in                                                                                |
// | no_shell      | it lets us in, and the login shell ends before it runs a command                                 |
// | key_changed   | it shows another host key, the same one as long as the fault lasts                              |
// | frozen        | a command is taken and never answered, until the host recovers: then it is carried out, late;   |
// |               | `at: 'connect'`: nor does anybody who connects get an answer                                    |
// | exit          | a command ends with this code; it does nothing, unless `tookEffect`                             |
// | cut           | the connection breaks in the middle of a command, before or after it took effect                |
// | reboot_late   | a reboot that was asked for begins `byMs` later                                                 |
// | reboot_twice  | after a reboot that was asked for, it boots once more by itself, `afterMs` after it was up      |
// | reboot_never  | a reboot that was asked for is taken and does not happen                                        |
// | rolled_back   | a boot drops the staged deployment and comes up with the old one                                |
// | disk_full     | its disk is full; what that means is for the fakes to say                                       |
//
// Without `times` a fault lasts until it is taken away. Each `times` and `chance` is of the tries, commands or boots that it could
// have hit. `on` is looked for in the command's words, joined by spaces. A command that only launches another is spared by `exit`,
// which hits the one that is launched. Of two faults of a kind the first to fit hits.

import type { Argv } from '../../../domain/command.ts';

interface Aim {
  /** It hits so many times, and is over. */
  readonly times?: number;
  /** It hits with this chance, from 0 to 1; the seed decides. */
  readonly chance?: number;
}

interface CommandAim extends Aim {
  readonly on?: RegExp;
}

export type Fault =
  | ({ readonly kind: 'unreachable' } & Aim)
  | ({ readonly kind: 'slow'; readonly connectMs?: number; readonly commandMs?: number } & CommandAim)
  | ({ readonly kind: 'auth_rejected' } & Aim)
  | ({ readonly kind: 'no_shell' } & CommandAim)
  | { readonly kind: 'key_changed' }
  | ({ readonly kind: 'frozen'; readonly at?: 'connect' | 'command' } & CommandAim)
  | ({ readonly kind: 'exit'; readonly exitCode: number; readonly stderr?: string } & TakesEffect &
      CommandAim)
  | ({ readonly kind: 'cut' } & Required<TakesEffect> & CommandAim)
  | ({ readonly kind: 'reboot_late'; readonly byMs: number } & Aim)
  | ({ readonly kind: 'reboot_twice'; readonly afterMs: number } & Aim)
  | ({ readonly kind: 'reboot_never' } & Aim)
  | ({ readonly kind: 'rolled_back' } & Aim)
  | { readonly kind: 'disk_full' };

interface TakesEffect {
  readonly tookEffect?: boolean;
}

export type FaultKind = Fault['kind'];
type OfKind<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

interface SetFault {
  readonly fault: Fault;
  left: number;
}

const isOn = (fault: Fault, argv: Argv | undefined): boolean =>
  !('on' in fault) ||
  fault.on === undefined ||
  (argv !== undefined && argv.join(' ').search(fault.on) !== -1);

/** The faults of one host, in the order in which they were set. */
export class Faults {
  readonly #draw: (count: number) => number;
  #draws = 0;
  #sets: SetFault[] = [];

  /** `draw` answers a number from 0 up to 1 for the first draw, the second, and so on. */
  constructor(draw: (count: number) => number) {
    this.#draw = draw;
  }

  add(fault: Fault): void {
    this.#sets.push({
      fault,
      left: ('times' in fault ? fault.times : undefined) ?? Number.POSITIVE_INFINITY,
    });
  }

  /** Takes away those of a kind, or all. */
  remove(kind?: FaultKind): void {
    this.#sets = kind === undefined ? [] : this.#sets.filter(({ fault }) => fault.kind !== kind);
  }

  get all(): readonly Fault[] {
    return this.#sets.map(({ fault }) => fault);
  }

  has(kind: FaultKind): boolean {
    return this.#sets.some(({ fault }) => fault.kind === kind);
  }

  /** The fault of this kind that hits now, if any: counted as one of its times. */
  hit<Kind extends FaultKind>(
    kind: Kind,
    argv?: Argv,
    fits: (fault: OfKind<Kind>) => boolean = () => true,
  ): OfKind<Kind> | undefined {
    const isKind = (fault: Fault): fault is OfKind<Kind> => fault.kind === kind;
    for (const set of this.#sets) {
      const { fault } = set;
      if (!isKind(fault) || !fits(fault) || !isOn(fault, argv)) continue;
      const chance = 'chance' in fault ? fault.chance : undefined;
      if (chance !== undefined && this.#isSpared(chance)) continue;
      set.left -= 1;
      if (set.left <= 0) this.#sets = this.#sets.filter(other => other !== set);
      return fault;
    }
    return undefined;
  }

  #isSpared(chance: number): boolean {
    this.#draws += 1;
    return this.#draw(this.#draws) >= chance;
  }
}
