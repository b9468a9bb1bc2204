// Pretend hosts that answer at loopback addresses of their own, to anybody who speaks SSH. They live in this process and outlive every
// server. What must hold: a command that has arrived is carried out, whatever becomes of the connection; the diary is the hosts'
// own, and knows nothing of what servers believe.

import type { Address } from '../../../src/domain/addresses/address.ts';
import type { Fault } from '../../../src/simulator/faults.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { Latencies } from '../../../src/simulator/simulation-context.ts';
import { PRIVATE_KEY } from '../keys.ts';
import type { Diary, TakenOn } from './diary.ts';
import { Diarist } from './diary.ts';
import { FasterClock } from './faster-clock.ts';
import type { Fleet, Visit } from './fleet.ts';
import { SshDoor } from './ssh-door.ts';
import { Ways } from './ways.ts';

/** None of those of the light hosts, nor of the servers. */
const addressOf = (index: number) => `127.200.${index >> 8}.${index & 255}` as Address;

interface SshFleetOptions {
  readonly hosts: number;
  /** How many times as fast as ours their clocks go. */
  readonly speed: number;
  /** By their own clocks. */
  readonly times: Partial<Latencies>;
}

export class SshFleet implements Fleet {
  readonly privateKey = PRIVATE_KEY;
  readonly ways = new Ways();
  readonly visits: Visit[] = [];
  readonly doors = new Map<string, SshDoor>();
  readonly #fleet: SimulatedFleet;
  readonly #diarist: Diarist;

  private constructor({ hosts, speed, times }: SshFleetOptions) {
    const clock = new FasterClock(speed);
    this.#fleet = new SimulatedFleet({
      clock,
      simulators: SIMULATORS,
      latencies: { connectMs: 0, ...times },
      journalLength: 0,
    });
    for (let index = 1; index <= hosts; index += 1) this.#fleet.add(addressOf(index), { os: 'debian' });
    this.#diarist = new Diarist(this.#fleet, clock);
  }

  static async start(options: SshFleetOptions): Promise<SshFleet> {
    const fleet = new SshFleet(options);
    for (const host of fleet.#fleet.hosts) {
      const { address } = host;
      const onCommand = (source: string) => {
        fleet.visits.push({ address, source, atMs: performance.now() });
      };
      const { transport } = fleet.#fleet;
      fleet.doors.set(address, await SshDoor.open({ host, transport, ways: fleet.ways, onCommand }));
    }
    return fleet;
  }

  get diary(): Diary {
    return this.#diarist.read();
  }

  /** The reboots that a host has taken on so far. */
  takenOn(address: string): readonly TakenOn[] {
    return this.#diarist.takenOn(address);
  }

  get downs(): number {
    return this.#diarist.downs;
  }

  suffer(address: string, fault: Fault): void {
    this.#fleet.host(address as Address).addFault(fault);
  }

  async stop(): Promise<void> {
    this.ways.end();
    for (const door of this.doors.values()) door.close();
  }
}
