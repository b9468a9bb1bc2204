import { parseRebootArgv } from '../../../src/procedures/reboot/reboot-scripts.ts';
import type { ObservedCommand } from '../../../src/simulator/run-command.ts';
import type { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { SimulatedHost } from '../../../src/simulator/simulated-host.ts';
import type { FasterClock } from './faster-clock.ts';

/** A reboot that a host has accepted: the host goes down shortly after. */
export interface AcceptedReboot {
  readonly operation: string;
  readonly attempt: number;
  readonly atMs: number;
}

/** Times are milliseconds since 1970 of the local clock. */
interface Reboot {
  readonly downAtMs: number;
  /** `null` while the host is down. */
  readonly upAtMs: number | null;
}

/** Reboots as the host observed them, independent of the servers. */
export interface HostRebootHistory {
  readonly address: string;
  readonly acceptedReboots: readonly AcceptedReboot[];
  readonly reboots: readonly Reboot[];
}

export type RebootHistory = readonly HostRebootHistory[];

const REBOOT_JOB_NAME = /^reboot_(.+)_(\d+)_[0-9a-f-]{36}$/;

/** Records accepted reboots, and when the hosts go down and come up. */
export class RebootRecorder {
  readonly #clock: FasterClock;
  readonly #accepted = new Map<string, AcceptedReboot[]>();
  readonly #downTimes = new Map<string, number[]>();
  readonly #fleet: SimulatedFleet;

  constructor(fleet: SimulatedFleet, clock: FasterClock) {
    this.#fleet = fleet;
    this.#clock = clock;
    for (const host of fleet.hosts) this.#observe(host);
    fleet.onCommand = command => this.#record(command);
  }

  /** An idle session of the host breaks when the host goes down. */
  #observe(host: SimulatedHost): void {
    const downs: number[] = [];
    this.#downTimes.set(host.address, downs);
    host.sessionOpened({ break: () => downs.push(Date.now()) });
  }

  #record({ moment, host, argv, result }: ObservedCommand): void {
    const [, operation, attempt] = REBOOT_JOB_NAME.exec(parseRebootArgv(argv)?.name ?? '') ?? [];
    const isAccepted = moment === 'after' && Buffer.from(result?.stdout ?? []).includes(' started');
    if (operation === undefined || !isAccepted) return;
    const all = this.#accepted.get(host.address) ?? [];
    all.push({ operation, attempt: Number(attempt), atMs: Date.now() });
    this.#accepted.set(host.address, all);
  }

  acceptedReboots(address: string): readonly AcceptedReboot[] {
    return this.#accepted.get(address) ?? [];
  }

  history(): RebootHistory {
    return [...this.#fleet.hosts].map(({ address, boots }) => {
      const [, ...laterBoots] = boots;
      const reboots = (this.#downTimes.get(address) ?? []).map((downAtMs, index) => {
        const boot = laterBoots[index];
        return { downAtMs, upAtMs: boot === undefined ? null : this.#clock.realMs(boot.atMs) };
      });
      return { address, acceptedReboots: this.acceptedReboots(address), reboots };
    });
  }

  get downs(): number {
    return [...this.#downTimes.values()].reduce((sum, downs) => sum + downs.length, 0);
  }
}
