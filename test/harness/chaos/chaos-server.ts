import path from 'node:path';
import type { RunningProgram } from '../programs/process.ts';
import { runHostler } from '../programs/process.ts';
import type { Proxy as Way } from '../proxy.ts';
import { startProxy } from '../proxy.ts';

const PRELOAD = path.join(import.meta.dirname, 'source-address.ts');
/** Whoever runs a service starts it again when it ends. */
const MOST_STARTS = 30;

export interface ChaosServerOptions {
  /** From 1 on. */
  readonly number: number;
  /** Of the database, by the socket of PostgreSQL. */
  readonly store: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** A server in a process of its own, with a way to PostgreSQL of its own. It comes to hosts from an address of its own. */
export class ChaosServer {
  readonly source: string;
  /** The way to PostgreSQL. */
  readonly database: Way;
  readonly #settings: Readonly<Record<string, string>>;
  #program: RunningProgram | undefined;
  #url: string | undefined;

  private constructor({ number, store, settings }: ChaosServerOptions, database: Way) {
    this.source = `127.250.0.${number}`;
    this.database = database;
    const url = new URL(store);
    url.search = '';
    url.host = `127.0.0.1:${database.port}`;
    const own = { HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_STORE: url.href, SOURCE_ADDRESS: this.source };
    this.#settings = { ...settings, ...own };
  }

  static async make(options: ChaosServerOptions): Promise<ChaosServer> {
    const folder = new URL(options.store).searchParams.get('host') ?? '';
    return new ChaosServer(options, await startProxy(path.join(folder, '.s.PGSQL.5432')));
  }

  /** `undefined` while it does not run. */
  get url(): string | undefined {
    return this.#url;
  }

  get log(): string {
    return this.#program?.stderr ?? '';
  }

  /** Starts it, as often as it takes: PostgreSQL may be away. */
  async start(): Promise<void> {
    for (let left = MOST_STARTS; ; left -= 1) {
      const program = runHostler(['serve'], this.#settings, ['--import', PRELOAD]);
      this.#program = program;
      try {
        this.#url = await program.url();
        return;
      } catch (error) {
        if (left <= 1) throw error;
      }
    }
  }

  /** By `kill -9`, or asks it to leave. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#url = undefined;
    await this.#program?.kill(signal);
  }

  freeze(): void {
    this.#program?.child.kill('SIGSTOP');
  }

  wake(): void {
    this.#program?.child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.end('SIGKILL');
    await this.database.cut();
  }
}
