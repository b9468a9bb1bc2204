// One bash, as somebody has it open while reading: what a block defines is there for the next. A block gets no input, since it would
// read the blocks that follow, and every command that fails is noted, also in the midst of a block. All of it goes through the bash's own
// input and output, so it may be on a machine that sees no file of this one.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Argv } from '../../../src/domain/command.ts';
import { until } from '../until.ts';

const BASH: Argv = ['bash', '--noprofile', '--norc'];

/** How a block is run; it fails with the last command of the block, which was told then. */
const RUN = 'eval "$TYPED" < /dev/null';

/** Failures are told on a copy of the output: that of the command may lead elsewhere. */
const prelude = (mark: string) => `exec 2>&1 9>&1
set -E -o pipefail
trap ':' INT
trap 'printf "%s %s: %s\\n" ${mark} $? "\${BASH_COMMAND//[[:cntrl:]]/ }" >&9' ERR
`;

export interface Typed {
  /** Both streams, in the order in which they were written. */
  readonly output: string;
  /** Commands that failed, each with its exit code: `1: false`. */
  readonly failures: readonly string[];
}

const PRESSED_AGAIN_MS = 3000;

export interface SessionPlace {
  /** What runs a bash that reads its commands from the input; one of this machine if it is left out. */
  readonly shell?: Argv;
  /** Where commands are typed. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** How long after one Ctrl-C the next is pressed. */
  readonly pressedAgainMs?: number;
}

export class ShellSession {
  readonly #bash: ChildProcess;
  readonly #ended: Promise<unknown>;
  /** Nothing else says it: the end of a block, and what failed in it. */
  readonly #mark = randomUUID();
  readonly #pressedAgainMs: number;
  #output = '';
  #isOver = false;
  #pressing: NodeJS.Timeout | undefined;

  constructor({ shell = BASH, cwd, environment, pressedAgainMs = PRESSED_AGAIN_MS }: SessionPlace) {
    const [program, ...args] = shell;
    this.#pressedAgainMs = pressedAgainMs;
    // A group of its own, which Ctrl-C is for.
    this.#bash = spawn(program, args, {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    const kill = () => this.#signal('SIGKILL');
    process.once('exit', kill);
    // Not when its output is closed: what it has left behind may have that, too.
    this.#ended = once(this.#bash, 'exit').then(() => {
      this.#isOver = true;
      process.off('exit', kill);
    });
    this.#bash.stdout?.setEncoding('utf8').on('data', text => {
      this.#output += text;
    });
    // It may have ended.
    this.#bash.stdin?.on('error', () => {}).write(prelude(this.#mark));
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#bash.pid ?? 0), signal);
    } catch {
      // All of it has ended.
    }
  }

  get #hasEnded(): boolean {
    return this.#output.includes(`${this.#mark} end\n`);
  }

  /** What was said so far, without what is noted of it. */
  get #said(): string {
    return this.#output.replaceAll(new RegExp(`${this.#mark}.*\n`, 'g'), '');
  }

  /** Begins a block, and waits for nothing. */
  begin(text: string): void {
    this.#leaveBe();
    this.#output = '';
    this.#bash.stdin?.write(
      `IFS= read -r -d '' TYPED <<'${this.#mark}' || :\n${text}\n${this.#mark}\n${RUN}\necho '${this.#mark} end'\n`,
    );
  }

  /** Waits until the block has ended. */
  async end(deadlineMs: number): Promise<Typed> {
    const hasEnded = () => {
      if (this.#isOver && !this.#hasEnded) throw new Error(`the shell has ended:\n${this.#said}`);
      return this.#hasEnded;
    };
    await until(() => `the block has ended; it said:\n${this.#said}`, hasEnded, deadlineMs);
    const noted = [...this.#output.matchAll(new RegExp(`${this.#mark} (\\d+: .*)\n`, 'g'))];
    const failures = noted.map(([, failure = '']) => failure).filter(failure => !failure.endsWith(RUN));
    return { output: this.#said, failures };
  }

  /** Types a block, and waits until it has ended. */
  run(text: string, deadlineMs: number): Promise<Typed> {
    this.begin(text);
    return this.end(deadlineMs);
  }

  /** Waits until something was said. */
  async says(what: RegExp, deadlineMs: number): Promise<string> {
    const asked = () => {
      const found = what.exec(this.#said);
      if (found === null && (this.#isOver || this.#hasEnded)) throw new Error(`it ended:\n${this.#said}`);
      return found?.[1] ?? found?.[0];
    };
    return until(() => `it says ${what}; it said:\n${this.#said}`, asked, deadlineMs);
  }

  /** Ctrl-C, which ends what runs and leaves the shell. Pressed again by and by: between two commands it is not heard. */
  interrupt(): void {
    this.#signal('SIGINT');
    this.#leaveBe();
    this.#pressing = setInterval(() => {
      if (this.#isOver || this.#hasEnded) this.#leaveBe();
      else this.#signal('SIGINT');
    }, this.#pressedAgainMs);
    this.#pressing.unref();
  }

  /** What is typed next is not for the Ctrl-C of what was before. */
  #leaveBe(): void {
    clearInterval(this.#pressing);
  }

  /** Ctrl-C, and then the window is closed. What the shell is in may end by Ctrl-C as well. */
  async stop(deadlineMs: number): Promise<void> {
    this.interrupt();
    const hasStopped = () => this.#isOver || this.#hasEnded;
    await until(() => `the block has ended; it said:\n${this.#said}`, hasStopped, deadlineMs).finally(() =>
      this.close(),
    );
  }

  /** Whatever still runs in it ends with it. */
  async close(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#ended;
  }
}
