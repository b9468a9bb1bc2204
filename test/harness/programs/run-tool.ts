import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Argv } from '../../../src/domain/command.ts';
import { runCommandInHelper } from './command-helper.ts';
import { toolPath } from './find-program.ts';

export interface ToolResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const toolEnvironment = (extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: toolPath(),
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
  ...extra,
});

/** The kernel kills the process when this process dies. */
export const withParentDeathSignal = (argv: Argv): Argv => ['setpriv', '--pdeathsig', 'KILL', ...argv];

/** Also ends all processes and mounts that it creates. */
export const inOwnNamespaces = (argv: Argv): Argv =>
  withParentDeathSignal(['unshare', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child', ...argv]);

export function spawnTool([program, ...args]: Argv, env: Options['env'] = {}): ChildProcess {
  return spawn(program, args, { env: toolEnvironment(env), stdio: ['pipe', 'pipe', 'pipe'] });
}

const toText = (output: Uint8Array): string => new TextDecoder().decode(output);

/** Returns the result for any exit code. */
export async function tryTool(argv: Argv, { env, ...options }: Options = {}): Promise<ToolResult> {
  const { exitCode, stdout, stderr } = await runCommandInHelper(argv, { env: toolEnvironment(env), ...options });
  return { exitCode, stdout: toText(stdout), stderr: toText(stderr) };
}

/** Throws if the program failed; returns its output. */
export function checkExitCode(command: string, { exitCode, stdout, stderr }: ToolResult): string {
  if (exitCode !== 0) throw new Error(`${command} exited with ${exitCode}:\n${`${stdout}${stderr}`.slice(-4000)}`);
  return stdout;
}

/** Throws if the program fails; returns its output. */
export const runTool = async (argv: Argv, options: Options = {}): Promise<string> =>
  checkExitCode(argv.join(' '), await tryTool(argv, options));

/** Clears the immutable flag of OSTree deployments first. */
export async function removeTree(folder: string): Promise<void> {
  await tryTool(['chattr', '-R', '-f', '-i', folder]);
  rmSync(folder, { recursive: true, force: true });
}
