import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Connection as Client, ServerChannel } from 'ssh2';
import ssh2 from 'ssh2';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { generateKeyPair } from '../../../src/drivers/transport/ssh/ssh-keys.ts';
import type { Connection, Transport } from '../../../src/drivers/transport/transport.ts';
import type { Fault } from '../../../src/simulator/faults.ts';
import { SIMULATORS } from '../../../src/simulator/index.ts';
import { SimulatedFleet } from '../../../src/simulator/simulated-fleet.ts';
import type { SimulatedHost } from '../../../src/simulator/simulated-host.ts';
import type { Latencies } from '../../../src/simulator/simulation-context.ts';
import { PRIVATE_KEY } from '../credentials.ts';
import { listen } from '../http/sockets.ts';
import { FasterClock } from './faster-clock.ts';
import type { HostCommand, HostFleet } from './host-fleet.ts';
import { NetworkLinks } from './host-fleet.ts';
import { parseLoginScript } from './parse-login-script.ts';
import type { AcceptedReboot, RebootHistory } from './reboot-history.ts';
import { RebootRecorder } from './reboot-history.ts';

/** The servers have their own limits. */
const LIMITS = { timeoutMs: 3_600_000, signal: new AbortController().signal };
const SYNTAX_ERROR = 2;
const KEY = new Secret('');

export interface SshEndpointOptions {
  readonly host: SimulatedHost;
  /** Transport of the simulated host. */
  readonly transport: Transport;
  readonly links: NetworkLinks;
  /** Called for each command with the source address. */
  readonly onCommand: (source: string) => void;
}

async function runScript(channel: ServerChannel, connection: Connection, script: string): Promise<void> {
  const parsed = parseLoginScript(script);
  if (parsed === undefined) {
    // As a shell does with a truncated script.
    channel.exit(SYNTAX_ERROR);
    channel.end();
    return;
  }
  const { mark, argv, asRoot, input } = parsed;
  const result = await connection.run(argv, {
    ...LIMITS,
    asRoot,
    ...(input !== undefined && { input: new Secret(input) }),
  });
  // The host went down and closed the connection.
  if (result instanceof TransportFailure) return;
  channel.write(Buffer.concat([Buffer.from(`${mark}\n`), result.stdout]));
  channel.stderr.write(Buffer.concat([Buffer.from(`${mark}\n`), result.stderr]));
  channel.exit(result.exitCode);
  channel.end();
}

/** The sshd of a simulated host. It accepts every key and is down while the host is down. */
export class SshEndpoint {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    const { port } = server.address() as AddressInfo;
    this.port = port;
    this.#server = server;
  }

  static async open(options: SshEndpointOptions): Promise<SshEndpoint> {
    const { host, links } = options;
    const hostKeys = [generateKeyPair(host.address).privateKey.reveal()];
    const server = createServer(socket => {
      socket.on('error', () => {});
      socket.setNoDelay(true);
      if (!host.isUp) {
        socket.destroy();
        return;
      }
      const session = { break: () => socket.destroy() };
      host.sessionOpened(session);
      socket.once('close', () => host.sessionClosed(session));
      links.addConnection(socket, () => serveSocket(options, hostKeys, socket));
    });
    await listen(server, host.address);
    return new SshEndpoint(server);
  }

  close(): void {
    this.#server.close();
  }
}

function serveSocket(options: SshEndpointOptions, hostKeys: string[], socket: Socket): void {
  if (socket.destroyed) return;
  const source = socket.remoteAddress ?? '';
  const server = new ssh2.Server({ hostKeys }, client => serveClient(options, client, source));
  server.injectSocket(socket);
}

function serveClient({ host, transport, onCommand }: SshEndpointOptions, client: Client, source: string): void {
  client.on('error', () => {});
  client.on('authentication', context => context.accept());
  client.on('session', async accept => {
    const session = accept();
    const target = { address: host.address, port: 22, user: 'root', privateKey: KEY, hostKeys: [] };
    const connecting = transport.connect(target, LIMITS);
    session.on('exec', acceptExec => {
      const channel = acceptExec();
      let script = '';
      channel.on('data', (data: Buffer) => {
        script += data;
      });
      channel.on('end', async () => {
        const connection = await connecting;
        if (connection instanceof TransportFailure) return;
        onCommand(source);
        await runScript(channel, connection, script);
        connection.close();
      });
    });
  });
}

/** Differs from the addresses of light hosts and servers. */
const hostAddress = (index: number) => `127.200.${index >> 8}.${index & 255}` as Address;

interface SshSimulatedHostsOptions {
  readonly hosts: number;
  /** Factor of the host clocks. */
  readonly speed: number;
  /** In host time. */
  readonly latencies: Partial<Latencies>;
}

/**
 * Simulated hosts behind SSH servers on their own loopback addresses. They run in this process and outlive
 * the servers. A command that has arrived runs even if its connection breaks.
 */
export class SshSimulatedHosts implements HostFleet {
  readonly privateKey = PRIVATE_KEY;
  readonly links = new NetworkLinks();
  readonly commands: HostCommand[] = [];
  readonly endpoints = new Map<string, SshEndpoint>();
  readonly #fleet: SimulatedFleet;
  readonly #recorder: RebootRecorder;

  private constructor({ hosts, speed, latencies }: SshSimulatedHostsOptions) {
    const clock = new FasterClock(speed);
    this.#fleet = new SimulatedFleet({
      clock,
      simulators: SIMULATORS,
      latencies: { connectMs: 0, ...latencies },
      journalLength: 0,
    });
    for (let index = 1; index <= hosts; index += 1) this.#fleet.add(hostAddress(index), { os: 'debian' });
    this.#recorder = new RebootRecorder(this.#fleet, clock);
  }

  static async start(options: SshSimulatedHostsOptions): Promise<SshSimulatedHosts> {
    const fleet = new SshSimulatedHosts(options);
    for (const host of fleet.#fleet.hosts) {
      const { address } = host;
      const onCommand = (source: string) => {
        fleet.commands.push({ address, source, atMs: performance.now() });
      };
      const { transport } = fleet.#fleet;
      fleet.endpoints.set(address, await SshEndpoint.open({ host, transport, links: fleet.links, onCommand }));
    }
    return fleet;
  }

  get rebootHistory(): RebootHistory {
    return this.#recorder.history();
  }

  acceptedReboots(address: string): readonly AcceptedReboot[] {
    return this.#recorder.acceptedReboots(address);
  }

  get rebootCount(): number {
    return this.#recorder.downs;
  }

  addFault(address: string, fault: Fault): void {
    this.#fleet.host(address as Address).addFault(fault);
  }

  async stop(): Promise<void> {
    this.links.close();
    for (const endpoint of this.endpoints.values()) endpoint.close();
  }
}
