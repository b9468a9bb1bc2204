import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Connection as Client, ServerChannel } from 'ssh2';
import ssh2 from 'ssh2';
import { Secret } from '../../../src/domain/secret.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { generateKeyPair } from '../../../src/drivers/transport/ssh/ssh-keys.ts';
import type { Connection, Transport } from '../../../src/drivers/transport/transport.ts';
import type { SimulatedHost } from '../../../src/simulator/simulated-host.ts';
import { listen } from '../listen.ts';
import { readLoginScript } from './read-login-script.ts';
import type { Ways } from './ways.ts';

/** Whoever asks has limits of their own. */
const LIMITS = { timeoutMs: 3_600_000, signal: new AbortController().signal };
const SYNTAX_ERROR = 2;
const KEY = new Secret('');

export interface DoorPorts {
  readonly host: SimulatedHost;
  /** To the pretend host. */
  readonly transport: Transport;
  readonly ways: Ways;
  /** Told of each command that is sent, and by whom. */
  readonly onCommand: (source: string) => void;
}

async function answer(channel: ServerChannel, connection: Connection, script: string): Promise<void> {
  const wanted = readLoginScript(script);
  if (wanted === undefined) {
    // As a shell does whose script is cut off.
    channel.exit(SYNTAX_ERROR);
    channel.end();
    return;
  }
  const { mark, argv, asRoot, input } = wanted;
  const ran = await connection.run(argv, {
    ...LIMITS,
    asRoot,
    ...(input !== undefined && { input: new Secret(input) }),
  });
  // It went down, and the connection with it.
  if (ran instanceof TransportFailure) return;
  channel.write(Buffer.concat([Buffer.from(`${mark}\n`), ran.stdout]));
  channel.stderr.write(Buffer.concat([Buffer.from(`${mark}\n`), ran.stderr]));
  channel.exit(ran.exitCode);
  channel.end();
}

/** The sshd of a pretend host, at its own address. It lets everybody in who speaks SSH, and it is down when the host is. */
export class SshDoor {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    const { port } = server.address() as AddressInfo;
    this.port = port;
    this.#server = server;
  }

  static async open(ports: DoorPorts): Promise<SshDoor> {
    const { host, ways } = ports;
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
      ways.arrive(socket, () => receive(ports, hostKeys, socket));
    });
    await listen(server, host.address);
    return new SshDoor(server);
  }

  close(): void {
    this.#server.close();
  }
}

function receive(ports: DoorPorts, hostKeys: string[], socket: Socket): void {
  if (socket.destroyed) return;
  const source = socket.remoteAddress ?? '';
  const server = new ssh2.Server({ hostKeys }, client => serve(ports, client, source));
  server.injectSocket(socket);
}

function serve({ host, transport, onCommand }: DoorPorts, client: Client, source: string): void {
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
        await answer(channel, connection, script);
        connection.close();
      });
    });
  });
}
