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
import { errorCode } from '../../lib/errors/error-code.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import { lastLine } from '../../lib/text/harmless.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { CliProblem } from '../cli-problem.ts';
import type { Terminal } from '../terminal.ts';

type Environment = Terminal['environment'];

export interface LentKey {
  /** Only we may enter it; it goes with the agent. */
  readonly folder: string;
  readonly socket: string;
}

/** The key is needed to log in and not afterwards. */
const KEY_LIFE_S = 120;

export function startProblem(program: string, error: unknown): CliProblem {
  return new CliProblem(
    EXIT.failed,
    errorCode(error) === 'ENOENT'
      ? `${program} not found. Install openssh-client (openssh-clients on Fedora and RHEL)`
      : `${program} cannot be started: ${messageOf(error)}`,
  );
}

const failed = (program: string, said: Buffer) =>
  new CliProblem(EXIT.failed, `${program} failed: ${lastLine(said) || 'no error message'}`);

/** Ends once it listens: it says where then. */
function startAgent(socket: string, environment: Environment): Promise<ChildProcess> {
  const agent = spawn('ssh-agent', ['-D', '-t', String(KEY_LIFE_S), '-a', socket], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment },
  });
  return new Promise((resolve, reject) => {
    const said = buffer(agent.stderr);
    agent.once('error', error => reject(startProblem('ssh-agent', error)));
    agent.once('close', async () => reject(failed('ssh-agent', await said)));
    agent.stdout.once('data', () => resolve(agent));
  });
}

async function addKey(socket: string, key: string, environment: Environment): Promise<void> {
  const adding = spawn('ssh-add', ['-q', '-'], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...environment, SSH_AUTH_SOCK: socket },
  });
  // It may end before it has read everything; its end says why.
  adding.stdin.on('error', () => {});
  adding.stdin.end(key);
  const said = buffer(adding.stderr);
  const code = await new Promise((resolve, reject) => {
    adding.once('error', error => reject(startProblem('ssh-add', error)));
    adding.once('close', resolve);
  });
  if (code !== 0) throw failed('ssh-add', await said);
}

/** Waits until it is gone: it removes its socket itself, and a folder is not removed while somebody else empties it. */
async function end(agent: ChildProcess): Promise<void> {
  if (agent.exitCode !== null || agent.signalCode !== null) return;
  const exited = once(agent, 'exit');
  agent.kill('SIGTERM');
  await exited;
}

/** Does something while ssh can use the key. */
export async function withLentKey<Result>(
  key: string,
  environment: Environment,
  work: (lent: LentKey) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(environment['TMPDIR'] || tmpdir(), 'hostler-ssh-'));
  const socket = path.join(folder, 'agent');
  let agent: ChildProcess | undefined;
  try {
    agent = await startAgent(socket, environment);
    await addKey(socket, key, environment);
    return await work({ folder, socket });
  } finally {
    if (agent) await end(agent);
    rmSync(folder, { recursive: true, force: true });
  }
}
