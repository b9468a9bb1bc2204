import { fork } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SimulatedFleet } from '../../src/simulator/simulated-fleet.ts';
import { RunningProgram } from '../../test/harness/programs/process.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
import { serveFleet } from './simulated-hosts.ts';

/** Several servers start concurrently on few cores. */
const START_TIMEOUT_MS = 120_000;

export const PASSWORD = 'bench';

export interface ServerOptions {
  readonly storeUrl: string;
  readonly secretKey: string;
  readonly checkIntervalS: number;
  /** For the log. */
  readonly folder: string;
}

/** A server in its own process whose hosts are the simulated fleet of this process. */
export class BenchServer {
  readonly url: string;
  readonly pid: number;
  readonly #program: RunningProgram;

  private constructor(program: RunningProgram, url: string) {
    this.#program = program;
    this.url = url;
    this.pid = program.child.pid ?? -1;
  }

  static async start(fleet: SimulatedFleet, options: ServerOptions): Promise<BenchServer> {
    const { storeUrl, secretKey, checkIntervalS, folder } = options;
    const child = fork(path.join(import.meta.dirname, 'server.ts'), [], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOSTLER_STORE: storeUrl,
        HOSTLER_SECRET_KEY: secretKey,
        HOSTLER_LISTEN: '127.0.0.1:0',
        HOSTLER_ADMIN_PASSWORD: PASSWORD,
        HOSTLER_CHECK_INTERVAL_S: String(checkIntervalS),
        // The default is too low for a fleet of this size with these check intervals.
        HOSTLER_LIMIT_SSH_CONNECTIONS: '400',
      },
      stdio: ['ignore', 'pipe', openSync(path.join(folder, 'log'), 'a'), 'ipc'],
    });
    serveFleet(fleet, child);
    const program = new RunningProgram(child);
    const findUrl = () => /API (\S+)\/api/.exec(program.stdout)?.[1];
    return new BenchServer(program, await waitUntil('a server listens', findUrl, START_TIMEOUT_MS));
  }

  get memoryMib(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    await this.#program.kill('SIGTERM');
  }
}
