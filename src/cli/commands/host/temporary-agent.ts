// Passes a private key to ssh without a file, an argument or an environment variable: a private ssh-agent
// receives the key through a pipe. Invariants: the agent and its folder are always removed at the end; if
// this process is killed, the agent drops the key after KEY_LIFETIME_S.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { lastLine } from '../../../lib/sanitize.ts';
import { failedError } from '../../errors.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Environment = Terminal['environment'];

export interface TemporaryAgent {
  /** Only the current user can access it. It is removed with the agent. */
  readonly folder: string;
  readonly socket: string;
}

/** The key is needed only for the login. */
const KEY_LIFETIME_S = 120;

export function spawnError(program: string, error: unknown): Error {
  return failedError(
    errorCode(error) === 'ENOENT'
      ? `${program} not found. Install openssh-client (openssh-clients on Fedora and RHEL)`
      : `${program} cannot be started: ${errorMessage(error)}`,
  );
}

const commandError = (program: string, stderr: Buffer) =>
  failedError(`${program} failed: ${lastLine(stderr) || 'no error message'}`);

/** Resolves when the agent listens: it then prints the path of its socket. */
function startAgent(socket: string, environment: Environment): Promise<ChildProcess> {
  const agent = spawn('ssh-agent', ['-D', '-t', String(KEY_LIFETIME_S), '-a', socket], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment },
  });
  return new Promise((resolve, reject) => {
    const stderr = buffer(agent.stderr);
    agent.once('error', error => reject(spawnError('ssh-agent', error)));
    agent.once('close', async () => reject(commandError('ssh-agent', await stderr)));
    agent.stdout.once('data', () => resolve(agent));
  });
}

async function addKey(socket: string, key: string, environment: Environment): Promise<void> {
  const child = spawn('ssh-add', ['-q', '-'], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...environment, SSH_AUTH_SOCK: socket },
  });
  // ssh-add can exit before it has read the whole key. Its exit status reports the error.
  child.stdin.on('error', () => {});
  child.stdin.end(key);
  const stderr = buffer(child.stderr);
  const code = await new Promise((resolve, reject) => {
    child.once('error', error => reject(spawnError('ssh-add', error)));
    child.once('close', resolve);
  });
  if (code !== 0) throw commandError('ssh-add', await stderr);
}

/** Waits for the exit, because the agent removes its socket in the folder itself. */
async function stopAgent(agent: ChildProcess): Promise<void> {
  if (agent.exitCode !== null || agent.signalCode !== null) return;
  const exited = once(agent, 'exit');
  agent.kill('SIGTERM');
  await exited;
}

export async function withTemporaryAgent<Result>(
  key: string,
  environment: Environment,
  action: (temporaryAgent: TemporaryAgent) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(environment['TMPDIR'] || tmpdir(), 'hostler-ssh-'));
  const socket = path.join(folder, 'agent');
  let agent: ChildProcess | undefined;
  try {
    agent = await startAgent(socket, environment);
    await addKey(socket, key, environment);
    return await action({ folder, socket });
  } finally {
    if (agent) await stopAgent(agent);
    rmSync(folder, { recursive: true, force: true });
  }
}
