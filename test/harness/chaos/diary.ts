import { parseRebootArgv } from '../../../src/procedures/reboot/send-reboot.ts';
import type { ObservedCommand } from '../../../src/simulator/run-command.ts';
import type { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { SimulatedHost } from '../../../src/simulator/simulated-host.ts';
import type { FasterClock } from './faster-clock.ts';

/** A reboot that a host has taken on: it goes down in a moment. */
export interface TakenOn {
  readonly operation: string;
  readonly attempt: number;
  readonly atMs: number;
}

/** Once down and up again. Times are by our clock, in milliseconds since 1970. */
export interface Reboot {
  readonly downAtMs: number;
  /** `null`: it is still down. */
  readonly upAtMs: number | null;
}

/** What a host knows of its own reboots, whatever servers believe. */
export interface HostDiary {
  readonly address: string;
  readonly takenOn: readonly TakenOn[];
  readonly reboots: readonly Reboot[];
}

export type Diary = readonly HostDiary[];

const NAME = /^reboot_(.+)_(\d+)_[0-9a-f-]{36}$/;

/** Writes down when hosts of a fleet take on reboots, go down and come up. */
export class Diarist {
  readonly #clock: FasterClock;
  readonly #takenOn = new Map<string, TakenOn[]>();
  readonly #wentDown = new Map<string, number[]>();
  readonly #fleet: SimulatedFleet;

  constructor(fleet: SimulatedFleet, clock: FasterClock) {
    this.#fleet = fleet;
    this.#clock = clock;
    for (const host of fleet.hosts) this.#attend(host);
    fleet.onCommand = command => this.#note(command);
  }

  /** A connection of its own, that is never used, tells when the host goes down. */
  #attend(host: SimulatedHost): void {
    const downs: number[] = [];
    this.#wentDown.set(host.address, downs);
    host.sessionOpened({ break: () => downs.push(Date.now()) });
  }

  #note({ moment, host, argv, result }: ObservedCommand): void {
    const [, operation, attempt] = NAME.exec(parseRebootArgv(argv)?.name ?? '') ?? [];
    const isTakenOn = moment === 'after' && Buffer.from(result?.stdout ?? []).includes(' started');
    if (operation === undefined || !isTakenOn) return;
    const all = this.#takenOn.get(host.address) ?? [];
    all.push({ operation, attempt: Number(attempt), atMs: Date.now() });
    this.#takenOn.set(host.address, all);
  }

  takenOn(address: string): readonly TakenOn[] {
    return this.#takenOn.get(address) ?? [];
  }

  /** So far. */
  read(): Diary {
    return [...this.#fleet.hosts].map(({ address, boots }) => {
      const [, ...later] = boots;
      const reboots = (this.#wentDown.get(address) ?? []).map((downAtMs, index) => {
        const boot = later[index];
        return { downAtMs, upAtMs: boot === undefined ? null : this.#clock.realMs(boot.atMs) };
      });
      return { address, takenOn: this.takenOn(address), reboots };
    });
  }

  /** How often hosts have gone down, all together. */
  get downs(): number {
    return [...this.#wentDown.values()].reduce((sum, downs) => sum + downs.length, 0);
  }
}
