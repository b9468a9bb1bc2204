// Real hosts, each with an sshd of its own, that reboot by the real reboot(2). Servers come to them by way of doors at other addresses, so
// that their ways can be cut. The diary is told by the power of each host: nothing goes down or up past it.

import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { LightHost } from '../hosts/light-host.ts';
import { loginKey } from '../hosts/login-key.ts';
import { startLightHosts } from '../hosts/start-light-host.ts';
import { listen } from '../listen.ts';
import type { Diary, HostDiary } from './diary.ts';
import type { Fleet, Visit } from './fleet.ts';
import { Ways } from './ways.ts';

/** None of those of the hosts themselves, nor of the servers. */
const doorOf = (index: number) => `127.201.${index >> 8}.${index & 255}`;

interface RealFleetOptions {
  readonly hosts: number;
  /** How long each is without a process when it reboots. */
  readonly rebootTakesMs: number;
}

/** What one host goes through. */
class Watched {
  readonly #address: string;
  readonly #reboots: { downAtMs: number; upAtMs: number | null }[] = [];

  constructor(address: string, { power }: LightHost) {
    this.#address = address;
    power.onSwitched = isOn => {
      const last = this.#reboots.at(-1);
      if (!isOn) this.#reboots.push({ downAtMs: Date.now(), upAtMs: null });
      else if (last) last.upAtMs = Date.now();
    };
  }

  get downs(): number {
    return this.#reboots.length;
  }

  /** What it was told to do before it went down is gone with its memory. */
  get diary(): HostDiary {
    const takenOn = this.#reboots.map(({ downAtMs }, index) => ({
      ...{ operation: 'unknown', attempt: index + 1 },
      atMs: downAtMs,
    }));
    return { address: this.#address, takenOn, reboots: this.#reboots };
  }
}

function passOn(socket: Socket, { address, port }: LightHost): void {
  const onward = connect({ host: address, port });
  for (const [one, other] of [
    [socket, onward],
    [onward, socket],
  ] as const) {
    one.on('error', () => {});
    one.once('close', () => other.destroy());
    one.pipe(other);
  }
}

export class RealFleet implements Fleet {
  readonly ways = new Ways();
  readonly visits: Visit[] = [];
  readonly doors = new Map<string, { readonly port: number }>();
  readonly privateKey: string;
  readonly #hosts: readonly LightHost[];
  readonly #watched: Watched[] = [];
  readonly #servers: Server[] = [];

  private constructor(hosts: readonly LightHost[], privateKey: string) {
    this.#hosts = hosts;
    this.privateKey = privateKey;
  }

  static async start({ hosts: count, rebootTakesMs }: RealFleetOptions): Promise<RealFleet> {
    const hosts = await startLightHosts(count, { identity: 'debian' });
    const fleet = new RealFleet(hosts, (await loginKey()).privateKeyBase64);
    for (const [index, host] of hosts.entries()) {
      host.power.rebootTakesMs = rebootTakesMs;
      await fleet.#openDoor(doorOf(index + 1), host);
    }
    return fleet;
  }

  async #openDoor(address: string, host: LightHost): Promise<void> {
    this.#watched.push(new Watched(address, host));
    const server = createServer(socket => {
      socket.setNoDelay(true);
      this.visits.push({ address, source: socket.remoteAddress ?? '', atMs: performance.now() });
      this.ways.arrive(socket, () => passOn(socket, host));
    });
    this.#servers.push(server);
    this.doors.set(address, { port: await listen(server, address) });
  }

  get diary(): Diary {
    return this.#watched.map(({ diary }) => diary);
  }

  get downs(): number {
    return this.#watched.reduce((sum, { downs }) => sum + downs, 0);
  }

  async stop(): Promise<void> {
    this.ways.end();
    for (const server of this.#servers) server.close();
    await Promise.all(this.#hosts.map(host => host.stop()));
  }
}
