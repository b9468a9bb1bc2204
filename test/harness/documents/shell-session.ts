// One bash for all blocks of a document, so that definitions remain. Blocks get no input, because they would
// read the following blocks. All communication uses stdin and stdout, so the bash can run on another machine.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Argv } from '../../../src/domain/command.ts';
import { waitUntil } from '../wait-until.ts';

const BASH: Argv = ['bash', '--noprofile', '--norc'];

/** Fails if the last command of the block fails, which the trap has reported already. */
const RUN = 'eval "$TYPED" < /dev/null';

/** Reports failures on a copy of stdout, because the command may redirect stdout. */
const prelude = (mark: string) => `exec 2>&1 9>&1
set -E -o pipefail
trap ':' INT
trap 'printf "%s %s: %s\\n" ${mark} $? "\${BASH_COMMAND//[[:cntrl:]]/ }" >&9' ERR
`;

export interface BlockResult {
  /** Stdout and stderr in the order of output. */
  readonly output: string;
  /** Failed commands with their exit code, such as `1: false`. */
  readonly failures: readonly string[];
}

const INTERRUPT_INTERVAL_MS = 3000;

export interface SessionOptions {
  /** Starts a bash that reads commands from stdin. Default: a local bash. */
  readonly shell?: Argv;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Interval between repeated Ctrl-C. */
  readonly interruptIntervalMs?: number;
}

export class ShellSession {
  readonly #bash: ChildProcess;
  readonly #ended: Promise<unknown>;
  /** Marks the end of a block and its failures in the output. */
  readonly #mark = randomUUID();
  readonly #interruptIntervalMs: number;
  #output = '';
  #hasExited = false;
  #interruptTimer: NodeJS.Timeout | undefined;

  constructor({ shell = BASH, cwd, environment, interruptIntervalMs = INTERRUPT_INTERVAL_MS }: SessionOptions) {
    const [program, ...args] = shell;
    this.#interruptIntervalMs = interruptIntervalMs;
    // A process group for Ctrl-C.
    this.#bash = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    const kill = () => this.#signal('SIGKILL');
    process.once('exit', kill);
    // On `exit`, not `close`: background jobs may keep stdout open.
    this.#ended = once(this.#bash, 'exit').then(() => {
      this.#hasExited = true;
      process.off('exit', kill);
    });
    this.#bash.stdout?.setEncoding('utf8').on('data', text => {
      this.#output += text;
    });
    // The shell may have exited.
    this.#bash.stdin?.on('error', () => {}).write(prelude(this.#mark));
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#bash.pid ?? 0), signal);
    } catch {
      // The process group has ended.
    }
  }

  get #hasEnded(): boolean {
    return this.#output.includes(`${this.#mark} end\n`);
  }

  /** Output without the marks. */
  get #visibleOutput(): string {
    return this.#output.replaceAll(new RegExp(`${this.#mark}.*\n`, 'g'), '');
  }

  /** Does not wait for the block. */
  start(text: string): void {
    this.#stopInterrupting();
    this.#output = '';
    this.#bash.stdin?.write(
      `IFS= read -r -d '' TYPED <<'${this.#mark}' || :\n${text}\n${this.#mark}\n${RUN}\necho '${this.#mark} end'\n`,
    );
  }

  async waitForEnd(deadlineMs: number): Promise<BlockResult> {
    const hasEnded = () => {
      if (this.#hasExited && !this.#hasEnded) throw new Error(`the shell has exited:\n${this.#visibleOutput}`);
      return this.#hasEnded;
    };
    await waitUntil(() => `the block has ended; output:\n${this.#visibleOutput}`, hasEnded, deadlineMs);
    const marked = [...this.#output.matchAll(new RegExp(`${this.#mark} (\\d+: .*)\n`, 'g'))];
    const failures = marked.map(([, failure = '']) => failure).filter(failure => !failure.endsWith(RUN));
    return { output: this.#visibleOutput, failures };
  }

  run(text: string, deadlineMs: number): Promise<BlockResult> {
    this.start(text);
    return this.waitForEnd(deadlineMs);
  }

  async waitForOutput(pattern: RegExp, deadlineMs: number): Promise<string> {
    const findMatch = () => {
      const found = pattern.exec(this.#visibleOutput);
      if (found === null && (this.#hasExited || this.#hasEnded))
        throw new Error(`the block has ended:\n${this.#visibleOutput}`);
      return found?.[1] ?? found?.[0];
    };
    return waitUntil(() => `output matches ${pattern}; output:\n${this.#visibleOutput}`, findMatch, deadlineMs);
  }

  /** Sends SIGINT repeatedly, because bash ignores it between two commands. */
  interrupt(): void {
    this.#signal('SIGINT');
    this.#stopInterrupting();
    this.#interruptTimer = setInterval(() => {
      if (this.#hasExited || this.#hasEnded) this.#stopInterrupting();
      else this.#signal('SIGINT');
    }, this.#interruptIntervalMs);
    this.#interruptTimer.unref();
  }

  /** Prevents an interrupt of the next block. */
  #stopInterrupting(): void {
    clearInterval(this.#interruptTimer);
  }

  /** Interrupts the block and closes the shell. The interrupt may also end the shell. */
  async stop(deadlineMs: number): Promise<void> {
    this.interrupt();
    const hasStopped = () => this.#hasExited || this.#hasEnded;
    await waitUntil(() => `the block has ended; output:\n${this.#visibleOutput}`, hasStopped, deadlineMs).finally(() =>
      this.close(),
    );
  }

  /** Kills all processes of the shell. */
  async close(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#ended;
  }
}
