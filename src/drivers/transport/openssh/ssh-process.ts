import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { errorCodeOrMessage } from '../../../lib/errors.ts';

/** A proxy command that was left behind may hold the streams open for ever; what ssh itself said has arrived by then. */
const STREAM_CLOSE_TIMEOUT_MS = 1000;

const MAX_STDERR_CHARS = 16_384;

export interface SshExit {
  /** `undefined` where a signal ended it, or it never began. */
  readonly exitCode: number | undefined;
  /** Why it could not be started, such as `ENOENT`. */
  readonly problem?: string;
  /** The last that it said on its standard error. */
  readonly stderrTail: string;
}

export interface SshListener {
  readonly onStdout?: (chunk: Buffer) => void;
  readonly onStderr?: (chunk: Buffer) => void;
  /** Called once, after all that it said. */
  readonly onExit: (exit: SshExit) => void;
}

/** No agent and no dialog of whoever runs the service, and nothing that a host could be told by mistake. */
const environment = () => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: process.env['HOME'] ?? '/',
});

/** Many at once take all of the processor with their cryptography; the service comes before them. */
const NICENESS = 5;

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

/** One `ssh`, in a session of its own: it finds no terminal to ask at, and ends together with what it started to get there. */
export class SshProcess {
  readonly #child: ChildProcess;
  readonly #listener: SshListener;
  #hasEnded = false;
  /** The last that it said on its standard error. */
  stderrTail = '';

  constructor(args: readonly string[], listener: SshListener) {
    this.#listener = listener;
    this.#child = spawn('ssh', args, { detached: true, env: environment(), stdio: 'pipe' });
    lowerPriority(this.#child.pid);
    this.#child.stdout?.on('data', (chunk: Buffer) => listener.onStdout?.(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.stderrTail = `${this.stderrTail}${chunk}`.slice(-MAX_STDERR_CHARS);
      listener.onStderr?.(chunk);
    });
    // It may end before it has read all; how it ended says why.
    this.#child.stdin?.on('error', () => {});
    this.#child.on('error', error => this.#finish(undefined, errorCodeOrMessage(error)));
    this.#child.on('exit', code => this.#onExit(code ?? undefined));
  }

  get input(): Writable | null {
    return this.#child.stdin;
  }

  /** Also what it started to get there: a jump host's ssh would wait for ever for a host that is silent. */
  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#hasEnded) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }

  #onExit(exitCode: number | undefined): void {
    this.kill();
    const timer = setTimeout(() => this.#finish(exitCode), STREAM_CLOSE_TIMEOUT_MS);
    this.#child.once('close', () => {
      clearTimeout(timer);
      this.#finish(exitCode);
    });
  }

  #finish(exitCode: number | undefined, problem?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const stream of this.#child.stdio) stream?.destroy();
    this.#listener.onExit({
      exitCode,
      stderrTail: this.stderrTail,
      ...(problem !== undefined && { problem }),
    });
  }
}
