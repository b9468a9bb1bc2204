// A real sshd on loopback for the user that runs the tests.

import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { Address } from '../../../src/domain/addresses/address.ts';
import { stripKeyComment } from '../../../src/domain/hosts/host-key.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { generateKeyPair } from '../../../src/drivers/transport/ssh/ssh-keys.ts';
import type { Target } from '../../../src/drivers/transport/transport.ts';
import { errorMessage } from '../../../src/lib/errors.ts';
import { freePort } from '../http/sockets.ts';
import { listChildren, signalAll } from '../programs/proc-files.ts';
import { describeUnless } from '../vitest/conditional-suites.ts';
import { MIN_PAUSE_MS, waitUntil } from '../wait-until.ts';

const PROGRAM = '/usr/sbin/sshd';
const START_DEADLINE_MS = 10_000;
const START_ATTEMPTS = 3;

export interface SshdOptions {
  readonly config?: readonly string[];
  readonly hostKeyType?: 'ed25519' | 'ecdsa' | 'rsa';
  readonly address?: string;
  /** Shown before the login. */
  readonly banner?: string;
}

export interface Sshd {
  readonly target: Target;
  /** Public key without a comment. */
  readonly hostKey: string;
  log(): string;
  logins(): number;
  authorize(publicKey: string): void;
  /** Breaks all connections; the listener continues. */
  cut(): void;
  /** Suspends the connections without closing them. */
  freeze(): void;
  stop(): Promise<void>;
}

const isListening = (address: string, port: number) =>
  new Promise<boolean>(resolve => {
    const socket = net.connect(port, address);
    socket.once('data', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('data', () => socket.destroy());
  });

/** Another process can bind the free port before sshd does. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  for (let attemptsLeft = START_ATTEMPTS; ; attemptsLeft -= 1) {
    try {
      return await startOnFreePort(options);
    } catch (error) {
      if (attemptsLeft <= 1 || !errorMessage(error).includes('Address already in use')) throw error;
    }
  }
}

async function startOnFreePort(options: SshdOptions): Promise<Sshd> {
  const { config = [], hostKeyType = 'ed25519', address = '127.0.0.1', banner = '' } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-sshd-'));
  const inside = (name: string) => path.join(folder, name);
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  // The default length of an RSA key takes four times as long.
  const length = hostKeyType === 'rsa' ? ['-b', '2048'] : [];
  spawnSync('ssh-keygen', ['-q', '-t', hostKeyType, ...length, '-N', '', '-f', inside('host_key')]);
  const pair = generateKeyPair('hostler');
  writeFileSync(inside('authorized_keys'), `${pair.publicKey}\n`);
  writeFileSync(inside('banner'), banner);
  mkdirSync(inside('home'));
  const port = await freePort(address);
  const lines = [
    `ListenAddress ${address}`,
    `Port ${port}`,
    `HostKey ${inside('host_key')}`,
    `AuthorizedKeysFile ${inside('authorized_keys')}`,
    ...['PidFile none', 'StrictModes no', 'UsePAM no', 'MaxStartups 200', 'LogLevel VERBOSE'],
    // The shell does not run the .bashrc of the user, which can start slow programs.
    `SetEnv HOME=${inside('home')}`,
    // The default algorithm costs 0.1 s of CPU time on each side.
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
  // Each connection has a child process of the listener.
  const signalSessions = (signal: NodeJS.Signals) => signalAll(listChildren(child.pid ?? -1), signal);
  const cut = () => signalSessions('SIGKILL');
  const freeze = () => signalSessions('SIGSTOP');
  const stop = async () => {
    process.off('exit', killNow);
    cut();
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const hasStarted = () => {
    if (child.exitCode !== null) throw new Error(`sshd did not start:\n${log}`);
    return isListening(address, port);
  };
  try {
    await waitUntil(() => `sshd listens:\n${log}`, hasStarted, START_DEADLINE_MS, MIN_PAUSE_MS);
  } catch (error) {
    await stop();
    throw error;
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

function checkSupport(): string | undefined {
  if (process.getuid?.() !== 0) return 'a root login requires root';
  return existsSync(PROGRAM) ? undefined : `${PROGRAM} is missing`;
}

/** Skipped with a message if sshd cannot be started. */
export const describeWithSshd = (name: string, tests: () => void): void => describeUnless(checkSupport(), name, tests);
