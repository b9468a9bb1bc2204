import type { Argv } from '../../../src/domain/command.ts';
import type { Machine, MachineAnswer, MachineFake } from '../../../src/drivers/machine.ts';
import { askedBy, CHUNK_BYTES, LOOK_BEGIN } from '../../../src/operations/jobs/look-script.ts';
import { startedBy } from '../../../src/operations/jobs/start-script.ts';

/** How soon a host is looked at again that has nothing new to say. */
const PAUSE_MS = 50;

interface Held {
  readonly on: RegExp;
  /** The job, once it was started. */
  name: string | undefined;
  output: Buffer;
  isOver: boolean;
}

/** Jobs of pretend hosts that say what a test has them say, and end when it wants. It is asked before the fake of all other jobs. */
export class Talk implements MachineFake {
  readonly blueprints = {};
  readonly #held = new Map<string, Held>();

  /** The next job of the host whose command has this in it: its output is said by `say`, and it ends by `end`. */
  hold(hostname: string, on: RegExp): void {
    this.#held.set(hostname, { on, name: undefined, output: Buffer.alloc(0), isOver: false });
  }

  isRunning(hostname: string): boolean {
    return this.#of(hostname).name !== undefined;
  }

  say(hostname: string, text: string): void {
    const held = this.#of(hostname);
    held.output = Buffer.concat([held.output, Buffer.from(text)]);
  }

  end(hostname: string): void {
    this.#of(hostname).isOver = true;
  }

  answer({ hostname }: Machine, argv: Argv): MachineAnswer | undefined {
    const held = this.#held.get(hostname);
    if (held === undefined) return undefined;
    const job = startedBy(argv);
    // It has its effects by the other fake.
    if (job !== undefined && held.on.test(job.argv.join(' '))) held.name ??= job.name;
    const asked = askedBy(argv);
    return asked !== undefined && asked.name === held.name ? look(held, asked.offset) : undefined;
  }

  #of(hostname: string): Held {
    const held = this.#held.get(hostname);
    if (held === undefined) throw new Error(`no job of ${hostname} is held`);
    return held;
  }
}

function look({ output, isOver }: Held, offset: number): MachineAnswer {
  const state = isOver ? 'ended 0' : 'running -';
  const news = output.subarray(offset, offset + CHUNK_BYTES);
  const line = `${LOOK_BEGIN} ${state} ${output.length} ${offset}\n`;
  return {
    exitCode: 0,
    stdout: Buffer.concat([Buffer.from(line), news]),
    stderr: Buffer.alloc(0),
    tookMs: news.length > 0 || isOver ? 0 : PAUSE_MS,
  };
}
