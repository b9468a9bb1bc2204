import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Argv } from '../../../src/domain/command.ts';

export interface BlockRan {
  /** Both streams, as they came. */
  readonly output: string;
  /** The first command that ended badly without the block having an answer to it. */
  readonly failed: string;
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One bash for all blocks, as a reader has it: what one block sets, the next one knows. */
export class DocumentShell {
  readonly #bash: ChildProcess;
  #output = '';
  #changed = Promise.withResolvers<void>();

  constructor([program, ...args]: Argv, { cwd, env }: Place) {
    this.#bash = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#bash.stdout?.setEncoding('utf8').on('data', (text: string) => this.#note(text));
    this.#bash.once('exit', () => this.#note(undefined));
    // It may have ended.
    this.#bash.stdin?.on('error', () => {});
    this.#bash.stdin?.write('exec 2>&1\ntrap \'[ -n "$walk_failed" ] || walk_failed=$BASH_COMMAND\' ERR\n');
  }

  #note(text: string | undefined): void {
    this.#output += text ?? '\n(the shell has ended)\n';
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async run(script: string, limitMs: number): Promise<BlockRan> {
    const mark = randomUUID();
    this.#output = '';
    // A block gets no input: it would read the blocks that follow.
    this.#bash.stdin?.write(
      `walk_failed=\neval "$(cat <<'${mark}'\n${script}\n${mark}\n)" </dev/null\nprintf '%s %s\\n' ${mark} "$walk_failed"\n`,
    );
    const end = new RegExp(`^(.*?)${mark} ([^\n]*)\n`, 's');
    const deadline = AbortSignal.timeout(limitMs);
    const late = once(deadline, 'abort');
    for (;;) {
      const [, output, failed] = end.exec(this.#output) ?? [];
      if (output !== undefined && failed !== undefined) return { output, failed };
      if (this.#bash.exitCode !== null || this.#bash.signalCode !== null || deadline.aborted)
        return { output: this.#output, failed: `the block, within ${limitMs} ms` };
      await Promise.race([this.#changed.promise, late]);
    }
  }

  /** With all that it has started, if it was started in a PID namespace. */
  async end(): Promise<void> {
    if (this.#bash.exitCode !== null || this.#bash.signalCode !== null) return;
    this.#bash.kill('SIGKILL');
    // Not until its output is closed: others may have it, too.
    await once(this.#bash, 'exit');
  }
}
