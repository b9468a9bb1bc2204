import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Argv } from '../../src/domain/command.ts';
import { dyingWithUs } from '../../test/harness/hosts/run-tool.ts';
import { reachVariables } from './machine-reach.ts';

const ENTER = path.join(import.meta.dirname, 'enter.sh');

/** What a root has who has just logged in, and how the machine reaches others. */
export const freshEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  ...reachVariables(),
});

/** What runs a command on the machine with this root, in its checkout. The kernel ends all that it has started with it, and it with us. */
export const onFreshMachine = (root: string, command: Argv): Argv =>
  dyingWithUs(['unshare', '--mount', '--pid', '--fork', '--kill-child', ENTER, root, ...command]);

/** Shows what the command says as it says it; answers how it ended. */
export async function runOnFreshMachine(root: string, command: Argv, limitMs: number): Promise<number> {
  const [program, ...args] = onFreshMachine(root, command);
  const child = spawn(program, args, {
    env: freshEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : -1;
}
