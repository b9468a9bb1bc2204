import { readdirSync, readFileSync } from 'node:fs';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Client } from '../../../src/sdk/client.ts';
import { createClient } from '../../../src/sdk/client.ts';
import { ADMIN_PASSWORD } from '../credentials.ts';
import type { FaultTarget, ServerFault } from '../faults.ts';
import type { NetworkLinks } from '../host-fleets/host-fleet.ts';
import type { TcpProxy } from '../tcp-proxy.ts';
import type { RunningProgram } from './process.ts';
import { runHostler } from './process.ts';

const MIB = 1024 ** 2;
/** Log lines with level error or fatal, except 503 responses, which are counted separately. */
const ERROR = /^\{"level":[56]0,(?!.*"msg":"store_unavailable")/;
const UNAVAILABLE = /^\{"level":50,.*"msg":"store_unavailable"/;
const MAX_ERROR_CHARACTERS = 300;

/** Required by `readHeapReport`. Node would drop unused bytecode and hide growth. */
export const USAGE_ARGS = [
  ...['--expose-gc', '--no-flush-bytecode'],
  ...['--import', import.meta.resolve('./heap-report.ts')],
];

/** Output of `heap-report.ts`. Memory is in bytes. */
const HeapReport = Type.Object({
  heapUsed: Type.Number(),
  rss: Type.Number(),
  external: Type.Number(),
  openTelemetryFiles: Type.Number(),
});
type HeapReport = Static<typeof HeapReport>;

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

/** `overrides` can replace the defaults. */
export const serverSettings = (
  { folder, location = 'sqlite' }: { readonly folder: string; readonly location?: string },
  overrides: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_DATA: folder,
  HOSTLER_STORE: location,
  HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
  ...overrides,
});

export const createAdminClient = (baseUrl: string): Client =>
  createClient({ baseUrl, user: 'admin', password: ADMIN_PASSWORD });

export interface ServerProcessOptions {
  /** For errors. */
  readonly name?: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** A failed restart is repeated, as by a supervisor. The default is one start. */
  readonly maxRestarts?: number;
  /** Required by the faults of links. */
  readonly links?: {
    readonly store: TcpProxy;
    readonly hosts: NetworkLinks;
    /** Address from which the server connects to hosts. */
    readonly source: string;
  };
}

/** A server in its own process. */
export class ServerProcess implements FaultTarget<ServerFault> {
  readonly name: string;
  readonly #options: ServerProcessOptions;
  readonly #faults = new Set<ServerFault>();
  #program: RunningProgram | undefined;
  #url: string | undefined;
  #reports = 0;

  private constructor(options: ServerProcessOptions) {
    this.name = options.name ?? 'the server';
    this.#options = options;
  }

  static async start(options: ServerProcessOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options);
    await server.#start();
    return server;
  }

  /** `undefined` while the server is not running. */
  get url(): string | undefined {
    return this.#url;
  }

  /** A client of the admin account for the current URL. */
  get client(): Client {
    if (this.#url === undefined) throw new Error(`${this.name} is not running`);
    return createAdminClient(this.#url);
  }

  get program(): RunningProgram {
    if (this.#program === undefined) throw new Error(`${this.name} was not started`);
    return this.#program;
  }

  /** The addresses of the hosts to which the server has an open connection. */
  get connectedHosts(): readonly string[] {
    return this.#links.hosts.connectedHosts(this.#links.source);
  }

  async inject(fault: ServerFault): Promise<void> {
    this.#faults.add(fault);
    await this.#actions[fault].inject();
  }

  async revert(fault: ServerFault): Promise<void> {
    if (this.#faults.delete(fault)) await this.#actions[fault].revert();
  }

  async stop(): Promise<void> {
    await this.#end('SIGKILL');
    await this.#options.links?.store.cut();
  }

  get #links() {
    const { links } = this.#options;
    if (links === undefined) throw new Error(`the links of ${this.name} have no proxies`);
    return links;
  }

  readonly #actions: Readonly<Record<ServerFault, { inject(): unknown; revert(): unknown }>> = {
    kill_server: { inject: () => this.#end('SIGKILL'), revert: () => this.#restart() },
    stop_server: { inject: () => this.#end('SIGTERM'), revert: () => this.#restart() },
    freeze_server: {
      inject: () => this.program.child.kill('SIGSTOP'),
      revert: () => this.program.child.kill('SIGCONT'),
    },
    cut_store: { inject: () => this.#links.store.cut(), revert: () => this.#links.store.restore() },
    stall_store: { inject: () => this.#links.store.stall('all'), revert: () => this.#links.store.restore() },
    cut_hosts: {
      inject: () => this.#links.hosts.cut(this.#links.source),
      revert: () => this.#links.hosts.restore(this.#links.source),
    },
    stall_hosts: {
      inject: () => this.#links.hosts.stall(this.#links.source),
      revert: () => this.#links.hosts.restore(this.#links.source),
    },
  };

  async #start(): Promise<void> {
    const { settings, nodeArgs } = this.#options;
    this.#program = runHostler(['serve'], settings, nodeArgs);
    this.#url = await this.#program.url();
  }

  async #restart(): Promise<void> {
    for (let restartsLeft = this.#options.maxRestarts ?? 1; ; restartsLeft -= 1) {
      try {
        return await this.#start();
      } catch (error) {
        if (restartsLeft <= 1) throw error;
      }
    }
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#url = undefined;
    await this.#program?.kill(signal);
  }

  /** Number of logged store timeouts. */
  get storeTimeouts(): number {
    return this.program.stderr.split('\n').filter(line => UNAVAILABLE.test(line)).length;
  }

  /** Whether the process has ended, and its logged errors. */
  get errors(): readonly string[] {
    const { child, stderr } = this.program;
    const isRunning = child.exitCode === null && child.signalCode === null;
    const errors = stderr.split('\n').filter(line => ERROR.test(line));
    return [...(isRunning ? [] : ['it has ended']), ...errors].map(
      error => `${this.name}: ${error.slice(0, MAX_ERROR_CHARACTERS)}`,
    );
  }

  async readHeapReport(): Promise<HeapReport> {
    this.#reports += 1;
    this.program.child.kill('SIGUSR2');
    const report = await this.program.waitForOutput(new RegExp(`heap report ${this.#reports}: (.*)\n`));
    return Value.Parse(HeapReport, JSON.parse(report));
  }

  async measureUsage(): Promise<ServerUsage> {
    const { heapUsed, external, rss } = await this.readHeapReport();
    const { pid } = this.program.child;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return {
      heapMib: heapUsed / MIB,
      externalMib: external / MIB,
      memoryMib: rss / MIB,
      handles: readdirSync(`/proc/${pid}/fd`).length,
      threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
    };
  }
}
