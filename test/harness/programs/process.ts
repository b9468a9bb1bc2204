// Programs that tests run. `runHostler` and `runCommand` start a program whose output and signals a test observes. For
// a server that a test kills and restarts use `ServerProcess`, for a server of another project `Daemon`, and for a
// program that ends `runTool` or `tryTool`.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

export const PROJECT = path.resolve(import.meta.dirname, '../../..');
const DEADLINE_MS = 120_000;

export interface ExitResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Killed when the tests end. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ExitResult>;
  stdout = '';
  stderr = '';
  #changed = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', data => this.#append('stdout', data));
    child.stderr?.on('data', data => this.#append('stderr', data));
    this.ended = new Promise(resolve => {
      child.on('close', (code, signal) => {
        running.delete(child);
        this.#hasEnded = true;
        resolve({ code, signal });
        this.#changed.resolve();
      });
    });
    running.add(child);
  }

  #append(stream: 'stdout' | 'stderr', data: Buffer) {
    this[stream] += data.toString();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #match(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
    return match ? (match[1] ?? match[0]) : undefined;
  }

  /** Returns the first group of the match, or the match. */
  async waitForOutput(pattern: RegExp): Promise<string> {
    const deadline = setTimeout(() => this.child.kill('SIGKILL'), DEADLINE_MS);
    try {
      for (;;) {
        const match = this.#match(pattern);
        if (match !== undefined) return match;
        if (this.#hasEnded)
          throw new Error(`the program ended without printing ${pattern}:\n${this.stdout}\n${this.stderr}`);
        await this.#changed.promise;
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  /** URL of the server, once it listens. */
  url(): Promise<string> {
    return this.waitForOutput(/API +(http\S+)\/api\/v0\//);
  }

  async kill(signal: NodeJS.Signals): Promise<ExitResult> {
    this.child.kill(signal);
    return this.ended;
  }
}

type Environment = Readonly<Record<string, string>>;

/** Path of `hostler.js`. Test runs set it to the built package, other programs run the sources. */
export const PROGRAM_VARIABLE = 'HOSTLER_TEST_PROGRAM';
export const PROGRAM = process.env[PROGRAM_VARIABLE] ?? path.join(PROJECT, 'bin/hostler.js');

/** Tests start the program hundreds of times, and loading modules dominates the start. */
export const COMPILE_CACHE = path.join(PROJECT, 'node_modules/.cache/compiled');

const environment = (extra: Environment) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  ...extra,
});

/** Default folder: the checkout. */
export const runCommand = (
  command: string,
  args: readonly string[],
  extra: Environment,
  cwd = PROJECT,
): RunningProgram =>
  new RunningProgram(spawn(command, args, { cwd, env: environment(extra), stdio: ['ignore', 'pipe', 'pipe'] }));

/** Runs `hostler` with the Node of the tests. */
export const runHostler = (
  args: readonly string[],
  extra: Environment,
  nodeArgs: readonly string[] = [],
): RunningProgram => runCommand(process.execPath, [...nodeArgs, PROGRAM, ...args], extra);

/** Creates a `hostler` script in the folder and returns the folder for PATH. */
export function installHostlerScript(folder: string): string {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(path.join(folder, 'hostler'), script, { mode: 0o755 });
  return folder;
}
