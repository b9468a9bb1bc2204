// Real hosts with their own sshd that reboot with reboot(2). Servers reach them through forwarders on other
// addresses, so that tests can cut the links. The process of each host reports when it goes down and up.

import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { listen } from '../http/sockets.ts';
import { loginKey } from '../real-hosts/host-access.ts';
import type { LightHost } from '../real-hosts/light-host.ts';
import { startLightHosts } from '../real-hosts/light-host.ts';
import type { HostCommand, HostFleet } from './host-fleet.ts';
import { NetworkLinks } from './host-fleet.ts';
import type { HostRebootHistory, RebootHistory } from './reboot-history.ts';

/** Differs from the addresses of hosts and servers. */
const endpointAddress = (index: number) => `127.201.${index >> 8}.${index & 255}`;

interface RealFleetOptions {
  readonly hosts: number;
  /** Time without a process during a reboot. */
  readonly rebootDurationMs: number;
}

class RebootObserver {
  readonly #address: string;
  readonly #reboots: { downAtMs: number; upAtMs: number | null }[] = [];

  constructor(address: string, { hostProcess }: LightHost) {
    this.#address = address;
    hostProcess.onStateChange = isOn => {
      const last = this.#reboots.at(-1);
      if (!isOn) this.#reboots.push({ downAtMs: Date.now(), upAtMs: null });
      else if (last) last.upAtMs = Date.now();
    };
  }

  get downs(): number {
    return this.#reboots.length;
  }

  /** A reboot erases the record of its command, so each reboot counts as accepted when the host went down. */
  get history(): HostRebootHistory {
    const acceptedReboots = this.#reboots.map(({ downAtMs }, index) => ({
      ...{ operation: 'unknown', attempt: index + 1 },
      atMs: downAtMs,
    }));
    return { address: this.#address, acceptedReboots, reboots: this.#reboots };
  }
}

function forward(socket: Socket, { address, port }: LightHost): void {
  const upstream = connect({ host: address, port });
  for (const [from, to] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    from.on('error', () => {});
    from.once('close', () => to.destroy());
    from.pipe(to);
  }
}

export class RealHostFleet implements HostFleet {
  readonly links = new NetworkLinks();
  readonly commands: HostCommand[] = [];
  readonly endpoints = new Map<string, { readonly port: number }>();
  readonly privateKey: string;
  readonly #hosts: readonly LightHost[];
  readonly #observers: RebootObserver[] = [];
  readonly #servers: Server[] = [];

  private constructor(hosts: readonly LightHost[], privateKey: string) {
    this.#hosts = hosts;
    this.privateKey = privateKey;
  }

  static async start({ hosts: count, rebootDurationMs }: RealFleetOptions): Promise<RealHostFleet> {
    const hosts = await startLightHosts(count, { identity: 'debian' });
    const fleet = new RealHostFleet(hosts, (await loginKey()).privateKeyBase64);
    for (const [index, host] of hosts.entries()) {
      host.hostProcess.rebootDurationMs = rebootDurationMs;
      await fleet.#openEndpoint(endpointAddress(index + 1), host);
    }
    return fleet;
  }

  async #openEndpoint(address: string, host: LightHost): Promise<void> {
    this.#observers.push(new RebootObserver(address, host));
    const server = createServer(socket => {
      socket.setNoDelay(true);
      this.commands.push({ address, source: socket.remoteAddress ?? '', atMs: performance.now() });
      this.links.addConnection(socket, () => forward(socket, host));
    });
    this.#servers.push(server);
    this.endpoints.set(address, { port: await listen(server, address) });
  }

  get rebootHistory(): RebootHistory {
    return this.#observers.map(({ history }) => history);
  }

  get rebootCount(): number {
    return this.#observers.reduce((sum, { downs }) => sum + downs, 0);
  }

  async stop(): Promise<void> {
    this.links.close();
    for (const server of this.#servers) server.close();
    await Promise.all(this.#hosts.map(host => host.stop()));
  }
}
