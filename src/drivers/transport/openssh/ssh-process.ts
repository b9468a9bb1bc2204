import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Writable } from 'node:stream';
import { errorCodeOrMessage, tryOr } from '../../../lib/errors.ts';

/** A remaining proxy command can keep the streams open; the output of ssh itself has arrived by then. */
const STREAM_CLOSE_TIMEOUT_MS = 1000;

const MAX_STDERR_CHARS = 16_384;

export interface SshExit {
  /** `undefined` if ssh was killed by a signal or did not start. */
  readonly exitCode: number | undefined;
  /** Start error, such as `ENOENT`. */
  readonly problem?: string;
  readonly stderrTail: string;
}

export interface SshListener {
  readonly onStdout?: (chunk: Buffer) => void;
  readonly onStderr?: (chunk: Buffer) => void;
  /** Called once, after all output. */
  readonly onExit: (exit: SshExit) => void;
}

/** Excludes SSH_AUTH_SOCK, SSH_ASKPASS and other variables of the service account. */
const environment = () => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: process.env['HOME'] ?? '/',
});

/** The cryptography of many ssh processes must not slow down the server. */
const NICENESS = 5;

/** Kills a process and its child processes, unless it has already exited. */
export const killGroup = (pid: number): boolean => tryOr(false, () => process.kill(-pid, 'SIGKILL'));

/** In its own session: it has no terminal for prompts, and is killed together with its child processes. */
export class SshProcess {
  readonly #child: ChildProcess;
  readonly #listener: SshListener;
  #hasEnded = false;
  stderrTail = '';

  constructor(args: readonly string[], listener: SshListener) {
    this.#listener = listener;
    this.#child = spawn('ssh', args, { detached: true, env: environment(), stdio: 'pipe' });
    const { pid } = this.#child;
    // Throws if the process has already exited.
    tryOr(undefined, () => pid !== undefined && setPriority(pid, NICENESS));
    this.#child.stdout?.on('data', (chunk: Buffer) => listener.onStdout?.(chunk));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.stderrTail = `${this.stderrTail}${chunk}`.slice(-MAX_STDERR_CHARS);
      listener.onStderr?.(chunk);
    });
    // ssh may exit before it has read all input; the exit reports the reason.
    this.#child.stdin?.on('error', () => {});
    this.#child.on('error', error => this.#finish(undefined, errorCodeOrMessage(error)));
    this.#child.on('exit', code => this.#onExit(code ?? undefined));
  }

  get input(): Writable | null {
    return this.#child.stdin;
  }

  /** Also kills child processes: the ssh of a jump host would wait forever for an unresponsive host. */
  kill(): void {
    const { pid } = this.#child;
    if (pid !== undefined && !this.#hasEnded) killGroup(pid);
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
