// The real program as a process of its own, for what only a process can show: signals, crashes, locks, output.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import path from 'node:path';

export const PROJECT = path.resolve(import.meta.dirname, '../../..');
const DEADLINE_MS = 120_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** None of them outlives the tests. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  #changed = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', data => this.#note('stdout', data));
    child.stderr?.on('data', data => this.#note('stderr', data));
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

  #note(stream: 'stdout' | 'stderr', data: Buffer) {
    this[stream] += data.toString();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #match(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
    return match ? (match[1] ?? match[0]) : undefined;
  }

  /** Waits until the output has this, and answers what matched first. */
  async says(pattern: RegExp): Promise<string> {
    const deadline = setTimeout(() => this.child.kill('SIGKILL'), DEADLINE_MS);
    try {
      for (;;) {
        const match = this.#match(pattern);
        if (match !== undefined) return match;
        if (this.#hasEnded)
          throw new Error(`it ended without saying ${pattern}:\n${this.stdout}\n${this.stderr}`);
        await this.#changed.promise;
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  /** The address of the service, once it listens. */
  url(): Promise<string> {
    return this.says(/API +(http\S+)\/api\/v0\//);
  }

  async kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

type Environment = Readonly<Record<string, string>>;

/** The program is started some hundred times, and most of each start is reading its modules. */
const COMPILED = path.join(PROJECT, 'node_modules/.cache/compiled');

const environment = (more: Environment) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  NODE_COMPILE_CACHE: COMPILED,
  ...more,
});

/** Runs a command in the checkout, or in another folder. */
export const runCommand = (
  command: string,
  args: readonly string[],
  more: Environment,
  cwd = PROJECT,
): RunningProgram =>
  new RunningProgram(
    spawn(command, args, { cwd, env: environment(more), stdio: ['ignore', 'pipe', 'pipe'] }),
  );

/** Runs `hostler`, by the Node that runs the tests. */
export const runHostler = (
  args: readonly string[],
  more: Environment,
  nodeArgs: readonly string[] = [],
): RunningProgram => runCommand(process.execPath, [...nodeArgs, 'bin/hostler.js', ...args], more);
