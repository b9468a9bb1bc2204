import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Argv } from '../../../src/domain/command.ts';

export interface ToolRan {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Tools of the system may be where only root looks. */
export const toolEnvironment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`,
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
  ...more,
});

/** The kernel kills it when this process dies, however it dies. */
export const dyingWithUs = (argv: Argv): Argv => ['setpriv', '--pdeathsig', 'KILL', ...argv];

/** The same for whatever it starts and mounts. */
export const containedWithUs = (argv: Argv): Argv =>
  dyingWithUs(['unshare', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child', ...argv]);

export function spawnTool([program, ...args]: Argv, options: Options = {}): ChildProcess {
  return spawn(program, args, { env: toolEnvironment(options.env), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs a program of this machine to its end, whatever that is. */
export function tryTool(argv: Argv, options: Options = {}): Promise<ToolRan> {
  return new Promise((resolve, reject) => {
    const child = spawnTool(argv, options);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // Whoever does not read its input closes it.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
    child.once('error', reject);
    child.once('close', code => resolve({ exitCode: code ?? -1, stdout, stderr }));
  });
}

/** Runs a program of this machine, which must succeed; answers what it printed. */
export async function runTool(argv: Argv, options: Options = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await tryTool(argv, options);
  if (exitCode !== 0)
    throw new Error(`${argv.join(' ')} exited with ${exitCode}:\n${`${stdout}${stderr}`.slice(-4000)}`);
  return stdout;
}
