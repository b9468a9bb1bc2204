// One bash, as somebody has it open while reading: what a block defines is there for the next. It reads nothing from its input, and every
// command that fails is noted, also in the midst of a block.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../until.ts';

/** After each block, so that what was said by it is told from what comes next. */
const END = '--- the block has ended ---';

const PRELUDE = `set -E -o pipefail
trap ':' INT
trap 'failed=$?; case "$BASH_COMMAND" in "source "*) ;; *) echo "$failed: $BASH_COMMAND" >> "$SESSION/failures";; esac' ERR
`;

export interface Typed {
  /** Both streams, in the order in which they were written. */
  readonly output: string;
  /** Commands that failed, each with its exit code: `1: false`. */
  readonly failures: readonly string[];
}

export interface SessionPlace {
  /** For files of the session itself; it is there, and nobody else writes to it. */
  readonly folder: string;
  /** Where commands are typed. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export class ShellSession {
  readonly #folder: string;
  readonly #bash: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';
  #isOver = false;
  #typed = 0;

  constructor({ folder, cwd, environment }: SessionPlace) {
    this.#folder = folder;
    // A group of its own, which Ctrl-C is for.
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd,
      env: { ...environment, SESSION: folder },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const kill = () => this.#signal('SIGKILL');
    process.once('exit', kill);
    this.#ended = once(this.#bash, 'close').then(() => {
      this.#isOver = true;
      process.off('exit', kill);
    });
    this.#bash.stdout?.setEncoding('utf8').on('data', text => {
      this.#output += text;
    });
    this.#bash.stdin?.on('error', () => {}).write(`exec 2>&1\n${PRELUDE}`);
  }

  get output(): string {
    return this.#output;
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-(this.#bash.pid ?? 0), signal);
    } catch {
      // All of it has ended.
    }
  }

  /** Begins a block, and waits for nothing. */
  begin(text: string): void {
    this.#typed += 1;
    const file = path.join(this.#folder, `block-${this.#typed}.sh`);
    writeFileSync(file, `${text}\n`);
    this.#output = '';
    this.#bash.stdin?.write(`source '${file}' < /dev/null\necho; echo '${END}'\n`);
  }

  /** Waits until the block has ended. */
  async end(deadlineMs: number): Promise<Typed> {
    const isThere = () => {
      if (this.#isOver) throw new Error(`the shell has ended:\n${this.#output}`);
      return this.#output.includes(`${END}\n`);
    };
    await until(() => `the block has ended; it said:\n${this.#output}`, isThere, deadlineMs);
    const output = this.#output.slice(0, this.#output.lastIndexOf(END)).replace(/\n$/, '');
    const noted = path.join(this.#folder, 'failures');
    const failures = existsSync(noted) ? readFileSync(noted, 'utf8').trimEnd().split('\n') : [];
    rmSync(noted, { force: true });
    return { output, failures };
  }

  /** Types a block, and waits until it has ended. */
  run(text: string, deadlineMs: number): Promise<Typed> {
    this.begin(text);
    return this.end(deadlineMs);
  }

  /** Waits until something was said. */
  async says(what: RegExp, deadlineMs: number): Promise<string> {
    const asked = () => {
      const found = what.exec(this.#output);
      if (found === null && this.#output.includes(END)) throw new Error(`it ended:\n${this.#output}`);
      return found?.[1] ?? found?.[0];
    };
    return until(() => `it says ${what}; it said:\n${this.#output}`, asked, deadlineMs);
  }

  /** Ctrl-C, which ends what runs and leaves the shell. */
  interrupt(): void {
    this.#signal('SIGINT');
  }

  /** Whatever still runs in it ends with it. */
  async close(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#ended;
  }
}
