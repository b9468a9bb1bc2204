import { readdirSync, readFileSync } from 'node:fs';
import type { RunningProgram } from '../programs/process.ts';
import { runHostler } from '../programs/process.ts';
import { waitUntil } from '../wait-until.ts';

const MIB = 1024 ** 2;
/** The machine is busy. */
const REPORT_TIMEOUT_MS = 120_000;
/** Log lines with level error or fatal, except 503 responses, which are counted separately. */
const ERROR = /^\{"level":[56]0,(?!.*"msg":"store_unavailable")/;
const UNAVAILABLE = /^\{"level":50,.*"msg":"store_unavailable"/;
const MAX_ERROR_CHARACTERS = 300;

/** Resource usage after a garbage collection. */
export interface ServerUsage {
  readonly heapMib: number;
  /** Memory outside the heap, such as buffers. */
  readonly externalMib: number;
  readonly memoryMib: number;
  /** Files, sockets and pipes. */
  readonly handles: number;
  readonly threads: number;
}

/** Node would drop unused bytecode and hide growth. */
const NODE_ARGS = [
  ...['--expose-gc', '--no-flush-bytecode'],
  ...['--import', import.meta.resolve('../programs/heap-report.ts')],
];

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

  /** `preloads` are modules to import first. */
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
    return new SoakServer(name, await waitUntil(`${name} listens`, url, REPORT_TIMEOUT_MS), program);
  }

  /** Number of logged store timeouts. */
  get unavailable(): number {
    return this.#program.stderr.split('\n').filter(line => UNAVAILABLE.test(line)).length;
  }

  /** Whether the process has ended, and its logged errors. */
  get errors(): readonly string[] {
    const { child, stderr } = this.#program;
    const isRunning = child.exitCode === null && child.signalCode === null;
    const errors = stderr.split('\n').filter(line => ERROR.test(line));
    return [...(isRunning ? [] : ['it has ended']), ...errors].map(
      error => `${this.name}: ${error.slice(0, MAX_ERROR_CHARACTERS)}`,
    );
  }

  async measureUsage(): Promise<ServerUsage> {
    const { child } = this.#program;
    this.#reports += 1;
    child.kill('SIGUSR2');
    const pattern = new RegExp(`heap report ${this.#reports}: (\\d+) of (\\d+), and (\\d+) beside it`);
    const findReport = () => pattern.exec(this.#program.stdout) ?? undefined;
    const [, ...bytes] = await waitUntil(`${this.name} reports its heap`, findReport, REPORT_TIMEOUT_MS);
    const [heapMib = Number.NaN, memoryMib = Number.NaN, externalMib = Number.NaN] = bytes.map(
      size => Number(size) / MIB,
    );
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return {
      ...{ heapMib, externalMib, memoryMib },
      handles: readdirSync(`/proc/${child.pid}/fd`).length,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
    };
  }

  async stop(): Promise<void> {
    await this.#program.kill('SIGTERM');
  }
}
