// How a private key gets to ssh without being in a file, in an argument or in an environment: an ssh-agent of our own, on a socket in
// a folder that only we may enter, is given it over a pipe. What must hold: whatever happens, agent and folder are gone at the end;
// and should we be killed, the agent forgets the key by itself.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { lastLine } from '../../../lib/sanitize.ts';
import { CliError } from '../../errors.ts';
import { EXIT_CODES } from '../../program.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Environment = Terminal['environment'];

export interface TemporaryAgent {
  /** Only we may enter it; it goes with the agent. */
  readonly folder: string;
  readonly socket: string;
}

/** The key is needed to log in and not afterwards. */
const KEY_LIFETIME_S = 120;

export function spawnError(program: string, error: unknown): CliError {
  return new CliError(
    EXIT_CODES.failed,
    errorCode(error) === 'ENOENT'
      ? `${program} not found. Install openssh-client (openssh-clients on Fedora and RHEL)`
      : `${program} cannot be started: ${errorMessage(error)}`,
  );
}

const commandError = (program: string, stderr: Buffer) =>
  new CliError(EXIT_CODES.failed, `${program} failed: ${lastLine(stderr) || 'no error message'}`);

/** Ends once it listens: it says where then. */
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
  // It may end before it has read everything; its end says why.
  child.stdin.on('error', () => {});
  child.stdin.end(key);
  const stderr = buffer(child.stderr);
  const code = await new Promise((resolve, reject) => {
    child.once('error', error => reject(spawnError('ssh-add', error)));
    child.once('close', resolve);
  });
  if (code !== 0) throw commandError('ssh-add', await stderr);
}

/** Waits until it is gone: it removes its socket itself, and a folder is not removed while somebody else empties it. */
async function stopAgent(agent: ChildProcess): Promise<void> {
  if (agent.exitCode !== null || agent.signalCode !== null) return;
  const exited = once(agent, 'exit');
  agent.kill('SIGTERM');
  await exited;
}

/** Does something while ssh can use the key. */
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
