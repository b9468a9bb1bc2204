// This machine as a host with a /run and processes of its own: for scripts that write there and leave something running. Whatever they
// leave behind ends with it, also when the tests are killed.

import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe } from 'vitest';
import type { Argv, CommandResult } from '../../../src/domain/command.ts';
import type { HostConnection } from '../../../src/procedures/step.ts';

export const SHELLS = ['dash', 'bash', 'busybox'] as const;
export type Shell = (typeof SHELLS)[number];

export interface PrivateRun {
  readonly link: HostConnection;
  /** Runs a script in bash; answers what it said. */
  bash(script: string): Promise<string>;
  /** Runs something in a process group of its own, which is not waited for. */
  spawn(argv: Argv): ChildProcess;
  close(): Promise<void>;
}

// In place of dash comes the shell that scripts are to be tried with. The first process buries whatever has lost its parent, and ends
// when nobody holds its input any more; everything else ends with it.
const INIT = `mount -t tmpfs -o mode=755 tmpfs /run && mkdir /run/bin &&
{ [ "$1" = dash ] || mount --bind "$(command -v "$1")" "$(readlink -f /bin/sh)"; } && echo ready || exit 1
while read -r line; do :; done`;

async function output(child: ChildProcess): Promise<CommandResult> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  await once(child, 'close');
  return { exitCode: child.exitCode ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
}

export async function openPrivateRun(shell: Shell): Promise<PrivateRun> {
  const flags = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const init = spawn('unshare', [...flags, 'bash', '-c', INIT, 'bash', shell]);
  const ended = once(init, 'exit');
  const ready = await Promise.race([once(init.stdout, 'data'), ended.then(() => undefined)]);
  if (ready === undefined) throw new Error('no /run of its own can be made');
  const inside = readFileSync(`/proc/${init.pid}/task/${init.pid}/children`, 'utf8').trim();
  const env = { PATH: `/run/bin:${process.env['PATH']}`, HOME: '/root' };
  const enter = (argv: Argv) =>
    spawn('nsenter', ['--mount', '--pid', `--target=${inside}`, '--', ...argv], {
      detached: true,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = (argv: Argv) => output(enter(argv));
  return {
    link: {
      hostKey: async () => '',
      run,
      query: async question => question.parse(await run(question.argv)),
    },
    bash: async script => Buffer.from((await run(['bash', '-c', script])).stdout).toString(),
    spawn: enter,
    close: async () => {
      init.kill('SIGKILL');
      await ended;
    },
  };
}

/** As `describe`, once for each shell, all at the same time; where it cannot be, it says so and leaves the tests out. */
export function describeOnEachShell(name: string, tests: (shell: Shell) => void): void {
  const { status, stderr } = spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']);
  const hasAll = SHELLS.every(shell => spawnSync('which', [shell]).status === 0);
  const reason = hasAll ? String(stderr) : `not all of ${SHELLS.join(', ')} are there`;
  const isPossible = status === 0 && hasAll;
  if (!isPossible)
    process.stderr.write(`SKIPPED: ${name}, since this needs root and three shells: ${reason}\n`);
  for (const shell of SHELLS)
    describe.runIf(isPossible).concurrent(name, () => {
      describe(`with ${shell}`, { concurrent: false }, () => tests(shell));
    });
}
