import type { Argv } from '../../../src/domain/command.ts';
import { MAX_BYTES_PER_POLL, POLL_PREFIX, parsePollArgv } from '../../../src/procedures/jobs/poll-script.ts';
import { parseStartArgv } from '../../../src/procedures/jobs/start-script.ts';
import type {
  CommandSimulator,
  SimulatedMachine,
  SimulatedResult,
} from '../../../src/simulator/simulated-machine.ts';

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
export class Talk implements CommandSimulator {
  readonly templates = {};
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

  execute({ hostname }: SimulatedMachine, argv: Argv): SimulatedResult | undefined {
    const held = this.#held.get(hostname);
    if (held === undefined) return undefined;
    const job = parseStartArgv(argv);
    // It has its effects by the other fake.
    if (job !== undefined && held.on.test(job.argv.join(' '))) held.name ??= job.name;
    const asked = parsePollArgv(argv);
    return asked !== undefined && asked.name === held.name ? look(held, asked.offset) : undefined;
  }

  #of(hostname: string): Held {
    const held = this.#held.get(hostname);
    if (held === undefined) throw new Error(`no job of ${hostname} is held`);
    return held;
  }
}

function look({ output, isOver }: Held, offset: number): SimulatedResult {
  const state = isOver ? 'ended 0' : 'running -';
  const news = output.subarray(offset, offset + MAX_BYTES_PER_POLL);
  const line = `${POLL_PREFIX} ${state} ${output.length} ${offset}\n`;
  return {
    exitCode: 0,
    stdout: Buffer.concat([Buffer.from(line), news]),
    stderr: Buffer.alloc(0),
    durationMs: news.length > 0 || isOver ? 0 : PAUSE_MS,
  };
}
