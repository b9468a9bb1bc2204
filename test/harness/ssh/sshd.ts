// A real sshd on loopback, of this machine and for the user who runs the tests; for what needs no host of its own.

import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { stripKeyComment } from '../../../src/domain/hosts/host-key.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { generateKeyPair } from '../../../src/drivers/transport/ssh/ssh-keys.ts';
import type { Target } from '../../../src/drivers/transport/transport.ts';
import { describeUnless } from '../describe-unless.ts';
import { listen } from '../listen.ts';

const PROGRAM = '/usr/sbin/sshd';
const START_DEADLINE_MS = 10_000;

export interface SshdOptions {
  /** Lines of sshd_config. */
  readonly config?: readonly string[];
  readonly hostKeyType?: 'ed25519' | 'ecdsa' | 'rsa';
  readonly address?: string;
  /** Shown to everybody before they log in. */
  readonly banner?: string;
}

export interface Sshd {
  readonly target: Target;
  /** The public key that it shows, without a comment. */
  readonly hostKey: string;
  /** What it has written about what it does. */
  log(): string;
  logins(): number;
  /** Lets in whoever has the key to this line of authorized_keys. */
  authorize(publicKey: string): void;
  /** Cuts every connection; it goes on listening. */
  cut(): void;
  /** Its connections are not cut, and nothing is done on them any more. */
  freeze(): void;
  stop(): Promise<void>;
}

export async function freePort(address = '127.0.0.1'): Promise<number> {
  const server = net.createServer();
  const port = await listen(server, address);
  await new Promise(resolve => server.close(resolve));
  return port;
}

const answers = (address: string, port: number) =>
  new Promise<boolean>(resolve => {
    const socket = net.connect(port, address);
    socket.once('data', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('data', () => socket.destroy());
  });

/** Whom a connection's process serves is a child of the listener. */
function sessionsOf(listener: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(listener)], { encoding: 'utf8' });
  return stdout.split('\n').map(Number).filter(Boolean);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const { config = [], hostKeyType = 'ed25519', address = '127.0.0.1', banner = '' } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-sshd-'));
  const inside = (name: string) => path.join(folder, name);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  spawnSync('ssh-keygen', ['-q', '-t', hostKeyType, '-N', '', '-f', inside('host_key')]);
  const pair = generateKeyPair('hostler');
  writeFileSync(inside('authorized_keys'), `${pair.publicKey}\n`);
  writeFileSync(inside('banner'), banner);
  const port = await freePort(address);
  const lines = [
    `ListenAddress ${address}`,
    `Port ${port}`,
    `HostKey ${inside('host_key')}`,
    `AuthorizedKeysFile ${inside('authorized_keys')}`,
    ...['PidFile none', 'StrictModes no', 'UsePAM no', 'MaxStartups 200', 'LogLevel VERBOSE'],
    // OpenSSH's own first choice costs a tenth of a second of both sides' time.
    ...(config.some(line => line.startsWith('KexAlgorithms')) ? [] : ['KexAlgorithms curve25519-sha256']),
    ...(banner ? [`Banner ${inside('banner')}`] : []),
    ...config,
  ];
  writeFileSync(inside('sshd_config'), `${lines.join('\n')}\n`);
  const child = spawn(PROGRAM, ['-D', '-e', '-f', inside('sshd_config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', text => {
    log += text;
  });
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  const cut = () => {
    for (const session of sessionsOf(child.pid ?? -1)) signalIfThere(session, 'SIGKILL');
  };
  const freeze = () => {
    for (const session of sessionsOf(child.pid ?? -1)) signalIfThere(session, 'SIGSTOP');
  };
  const stop = async () => {
    process.off('exit', killNow);
    cut();
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await answers(address, port))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      await stop();
      throw new Error(`sshd did not start:\n${log}`);
    }
    await delay(20);
  }
  return {
    target: {
      address: address as Address,
      port,
      user: userInfo().username,
      privateKey: new Secret(Buffer.from(pair.privateKey.reveal()).toString('base64')),
      hostKeys: [],
    },
    hostKey: stripKeyComment(readFileSync(inside('host_key.pub'), 'utf8').trim()),
    log: () => log,
    logins: () => log.match(/^Accepted publickey/gm)?.length ?? 0,
    authorize: publicKey => appendFileSync(inside('authorized_keys'), `${publicKey}\n`),
    cut,
    freeze,
    stop,
  };
}

function problem(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can be logged in to as root';
  return existsSync(PROGRAM) ? undefined : `there is no ${PROGRAM}`;
}

/** As `describe`; where there can be no sshd to log in to, it says so and leaves the tests out. */
export const describeWithSshd = (name: string, tests: () => void): void =>
  describeUnless(problem(), 'there can be no sshd', name, tests);
