import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Argv } from '../../../src/domain/command.ts';

export interface ToolResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Includes the folders of administration tools. */
export const toolEnvironment = (extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`,
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
  ...extra,
});

/** The kernel kills the process when this process dies. */
export const withParentDeathSignal = (argv: Argv): Argv => ['setpriv', '--pdeathsig', 'KILL', ...argv];

/** Also ends all processes and mounts that it creates. */
export const inOwnNamespaces = (argv: Argv): Argv =>
  withParentDeathSignal(['unshare', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child', ...argv]);

export function spawnTool([program, ...args]: Argv, options: Options = {}): ChildProcess {
  return spawn(program, args, { env: toolEnvironment(options.env), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Returns the result for any exit code. */
export function tryTool(argv: Argv, options: Options = {}): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawnTool(argv, options);
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // The program may close its input early.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
    child.once('error', reject);
    child.once('close', code => resolve({ exitCode: code ?? -1, stdout, stderr }));
  });
}

/** Throws if the program fails; returns its output. */
export async function runTool(argv: Argv, options: Options = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await tryTool(argv, options);
  if (exitCode !== 0)
    throw new Error(`${argv.join(' ')} exited with ${exitCode}:\n${`${stdout}${stderr}`.slice(-4000)}`);
  return stdout;
}

/** Clears the immutable flag of OSTree deployments first. */
export async function removeTree(folder: string): Promise<void> {
  await tryTool(['chattr', '-R', '-f', '-i', folder]);
  rmSync(folder, { recursive: true, force: true });
}
