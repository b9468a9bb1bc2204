// Real sshds, connections and a folder for SSH transport tests, closed after each test.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { stripKeyComment } from '../../../src/domain/hosts/host-key.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { TransportFailure } from '../../../src/domain/transport-failure.ts';
import { generateKeyPair } from '../../../src/drivers/transport/ssh/ssh-keys.ts';
import type { CallLimits, Connection, Target, Transport } from '../../../src/drivers/transport/transport.ts';
import { newId } from '../../../src/lib/random.ts';
import type { ConformanceHost } from '../../conformance/transport.ts';
import { REKEY_AFTER_BYTES } from '../../conformance/transport.ts';
import { freePort, listen } from '../http/sockets.ts';
import type { Sshd, SshdOptions } from './sshd.ts';
import { startSshd } from './sshd.ts';

export const CONNECTION_LIMITS: CallLimits = { timeoutMs: 20_000, signal: new AbortController().signal };

export class SshdFixture {
  /** Short, because sockets have a path limit. */
  readonly folder = mkdtempSync('/tmp/hostler-ssh-');
  readonly #cleanups: (() => unknown)[] = [];

  constructor() {
    afterEach(async () => {
      for (const close of this.#cleanups.splice(0).reverse()) await close();
    });
    afterAll(() => rmSync(this.folder, { recursive: true }));
  }

  filePath(name: string): string {
    return path.join(this.folder, name);
  }

  /** ssh requires that only the owner can read keys. */
  write(content: string | Buffer, name = newId()): string {
    const file = this.filePath(name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  }

  keygen(...args: string[]): void {
    const { status, stderr } = spawnSync('ssh-keygen', ['-q', ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  /** Creates a key pair and returns the public key. */
  newKey(name: string, ...options: string[]): string {
    this.keygen('-N', '', '-C', '', '-f', this.filePath(name), ...(options.length > 0 ? options : ['-t', 'ed25519']));
    return stripKeyComment(readFileSync(this.filePath(`${name}.pub`), 'utf8').trim());
  }

  /** Runs after the test, even if it fails. */
  addCleanup(close: () => unknown): void {
    this.#cleanups.push(close);
  }

  async start(options?: SshdOptions): Promise<Sshd> {
    const sshd = await startSshd(options);
    this.addCleanup(() => sshd.stop());
    return sshd;
  }

  async connect(
    transport: Transport,
    target: Target,
    limits = CONNECTION_LIMITS,
  ): Promise<Connection | TransportFailure> {
    const result = await transport.connect(target, limits);
    if (!(result instanceof TransportFailure)) this.addCleanup(() => result.close());
    return result;
  }

  async connectOrThrow(transport: Transport, target: Target): Promise<Connection> {
    const result = await this.connect(transport, target);
    if (result instanceof TransportFailure) throw new Error(String(result));
    return result;
  }

  async output(connection: Connection, ...argv: Argv): Promise<string> {
    const commandResult = await connection.run(argv, CONNECTION_LIMITS);
    return commandResult instanceof TransportFailure
      ? String(commandResult)
      : Buffer.from(commandResult.stdout).toString();
  }
}

type FixtureHost = Pick<ConformanceHost, 'target' | 'hostKey' | 'logins' | 'cut'> & Pick<Sshd, 'stop'>;

/** A host for the conformance suite of transports. */
export async function createConformanceHost(
  transport: Transport,
  { stop, ...host }: FixtureHost,
): Promise<ConformanceHost> {
  const unresponsiveServer = net.createServer(socket => socket.on('error', () => {}));
  const { address } = host.target;
  const unresponsivePort = await listen(unresponsiveServer, address);
  const unauthorizedKey = Buffer.from(generateKeyPair('unauthorized').privateKey.reveal()).toString('base64');
  return {
    ...host,
    transport,
    unauthorizedKey: new Secret(unauthorizedKey),
    closedPort: { ...host.target, port: await freePort(address) },
    unresponsive: { ...host.target, port: unresponsivePort },
    close: async () => {
      unresponsiveServer.close();
      await stop();
    },
  };
}

/** sshd_config line that the conformance suite requires. */
export const REKEY_SETTING = `RekeyLimit ${REKEY_AFTER_BYTES}`;

export const startConformanceHost = async (transport: Transport): Promise<ConformanceHost> =>
  createConformanceHost(transport, await startSshd({ config: [REKEY_SETTING] }));
