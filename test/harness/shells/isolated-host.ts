// This machine as a host with its own /run and PID namespace, for scripts that write files and start
// processes. All of it ends with the host, even if the tests are killed.

import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import type { HostConnection } from '../../../src/procedures/step.ts';
import { runCommandInHelper } from '../programs/command-helper.ts';
import { listChildren } from '../programs/proc-files.ts';
import { checkPrograms, describeUnless } from '../vitest/conditional-suites.ts';

const SHELLS = ['dash', 'bash', 'busybox'] as const;
export type Shell = (typeof SHELLS)[number];

/** Has no .bashrc. bash runs that file if its input is a socket, and the one of this machine can start many processes. */
export const HOST_HOME = '/run';

export interface IsolatedHost {
  readonly connection: HostConnection;
  /** Returns the output. */
  bash(script: string): Promise<string>;
  /** Runs a command in its own process group without waiting for it. */
  spawn(argv: Argv): ChildProcess;
  close(): Promise<void>;
}

// Mounts the shell under test over /bin/sh. The first process reaps orphans and ends when its input closes;
// all other processes end with it.
const INIT = `mount -t tmpfs -o mode=755 tmpfs /run && mkdir /run/bin &&
{ [ "$1" = dash ] || mount --bind "$(command -v "$1")" "$(readlink -f /bin/sh)"; } && echo ready || exit 1
while read -r line; do :; done`;

export async function openIsolatedHost(shell: Shell): Promise<IsolatedHost> {
  const flags = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const init = spawn('unshare', [...flags, 'bash', '-c', INIT, 'bash', shell]);
  const ended = once(init, 'exit');
  const ready = await Promise.race([once(init.stdout, 'data'), ended.then(() => undefined)]);
  if (ready === undefined) throw new Error('cannot create a private /run');
  const initPid = listChildren(init.pid ?? -1)[0];
  const env = { PATH: `/run/bin:${process.env['PATH']}`, HOME: HOST_HOME };
  const enterArgs = (argv: Argv) => ['--mount', '--pid', `--target=${initPid}`, '--', ...argv];
  const run = (argv: Argv) => runCommandInHelper(['nsenter', ...enterArgs(argv)], { env });
  return {
    connection: {
      hostKey: async () => '',
      run,
      query: async hostQuery => hostQuery.parse(await run(hostQuery.argv)),
    },
    bash: async script => Buffer.from((await run(['bash', '-c', script])).stdout).toString(),
    spawn: argv => spawn('nsenter', enterArgs(argv), { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    close: async () => {
      init.kill('SIGKILL');
      await ended;
    },
  };
}

function checkSupport(): string | undefined {
  const missing = checkPrograms(['unshare', ...SHELLS]);
  if (missing !== undefined) return missing;
  const { status, stderr } = spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']);
  return status === 0 ? undefined : `cannot create namespaces: ${String(stderr).trim()}`;
}

/** Like `describe`, once for each shell in parallel. Skipped with a message if namespaces or shells are missing. */
export function describeOnEachShell(name: string, tests: (shell: Shell) => void): void {
  describeUnless(checkSupport(), name, () => {
    for (const shell of SHELLS)
      describe.concurrent(`with ${shell}`, () => {
        describe('as /bin/sh', { concurrent: false }, () => tests(shell));
      });
  });
}
