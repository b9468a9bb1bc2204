import { readdirSync, readFileSync } from 'node:fs';
import type { RunningProgram } from '../programs/process.ts';
import { runHostler } from '../programs/process.ts';
import { until } from '../until.ts';

const MIB = 1024 ** 2;
/** The machine has much to do. */
const SAID_WITHIN_MS = 120_000;
/** Lines of the log: errors, and what is worse; callers that were told to try again are counted by themselves. */
const ERROR = /^\{"level":[56]0,(?!.*"msg":"store_unavailable")/;
const UNAVAILABLE = /^\{"level":50,.*"msg":"store_unavailable"/;
const FEW_CHARACTERS = 300;

/** What a process has, after its heap was cleared of what nobody needs. */
export interface Holdings {
  readonly heapMib: number;
  /** Buffers and the like, which are not on the heap. */
  readonly besideMib: number;
  readonly memoryMib: number;
  /** Files, sockets and pipes. */
  readonly handles: number;
  readonly threads: number;
}

/** Node drops the code of what was not called for a while, and would hide what grew. */
const NODE_ARGS = [
  ...['--expose-gc', '--no-flush-bytecode'],
  ...['--import', import.meta.resolve('../programs/heap-report.ts')],
];

/** A server as it is run in real life, in a process of its own. */
export class SoakServer {
  readonly name: string;
  readonly url: string;
  readonly #program: RunningProgram;
  #reports = 0;

  private constructor(name: string, url: string, program: RunningProgram) {
    this.name = name;
    this.url = url;
    this.#program = program;
  }

  /** `preloads` are modules that are loaded into it before its own. */
  static async start(
    name: string,
    settings: Readonly<Record<string, string>>,
    preloads: readonly string[] = [],
  ): Promise<SoakServer> {
    const imports = preloads.flatMap(preload => ['--import', preload]);
    const program = runHostler(['serve'], settings, [...NODE_ARGS, ...imports]);
    const url = () => {
      if (program.child.exitCode !== null) throw new Error(`${name} did not start: ${program.stderr}`);
      return /API +(http\S+)\/api\/v0\//.exec(program.stdout)?.[1];
    };
    return new SoakServer(name, await until(`${name} listens`, url, SAID_WITHIN_MS), program);
  }

  /** How often it said that the store could not be reached in time, to whomever. */
  get unavailable(): number {
    return this.#program.stderr.split('\n').filter(line => UNAVAILABLE.test(line)).length;
  }

  /** That it has ended, and the errors that it has logged. */
  get problems(): readonly string[] {
    const { child, stderr } = this.#program;
    const isRunning = child.exitCode === null && child.signalCode === null;
    const errors = stderr.split('\n').filter(line => ERROR.test(line));
    return [...(isRunning ? [] : ['it has ended']), ...errors].map(
      problem => `${this.name}: ${problem.slice(0, FEW_CHARACTERS)}`,
    );
  }

  async holdings(): Promise<Holdings> {
    const { child } = this.#program;
    this.#reports += 1;
    child.kill('SIGUSR2');
    const pattern = new RegExp(`heap report ${this.#reports}: (\\d+) of (\\d+), and (\\d+) beside it`);
    const said = () => pattern.exec(this.#program.stdout) ?? undefined;
    const [, ...bytes] = await until(`${this.name} tells of its heap`, said, SAID_WITHIN_MS);
    const [heapMib = Number.NaN, memoryMib = Number.NaN, besideMib = Number.NaN] = bytes.map(
      each => Number(each) / MIB,
    );
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return {
      ...{ heapMib, besideMib, memoryMib },
      handles: readdirSync(`/proc/${child.pid}/fd`).length,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
    };
  }

  async stop(): Promise<void> {
    await this.#program.kill('SIGTERM');
  }
}
