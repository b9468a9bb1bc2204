// Hostler in its own process, with hosts enrolled over HTTP. When all hosts are ready, all their checks
// become due at once, including facts: the server claims, queries and saves each host.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createClient } from '../../src/sdk/client.ts';
import { readCpuSeconds } from '../measure.ts';
import { ServerProcess } from '../server-process.ts';
import type { SshBenchInput, SshBenchResult } from './bench-input.ts';
import { runConcurrently } from './bench-input.ts';

const PASSWORD = 'bench';
const POLL_INTERVAL_MS = 20;
const CONCURRENCY = 8;
const DEADLINE_MS = 300_000;

export interface EnrolResult {
  readonly seconds: number;
  readonly peakMib: number;
}

export class BenchHostler {
  readonly #program: ServerProcess;
  readonly #store: Database.Database;
  readonly #input: SshBenchInput;

  private constructor(program: ServerProcess, store: Database.Database, input: SshBenchInput) {
    this.#program = program;
    this.#store = store;
    this.#input = input;
  }

  static async start(folder: string, input: SshBenchInput): Promise<BenchHostler> {
    const program = await ServerProcess.start(
      ['bin/hostler.js', 'serve'],
      {
        HOSTLER_DATA: folder,
        HOSTLER_LISTEN: '127.0.0.1:0',
        HOSTLER_ADMIN_PASSWORD: PASSWORD,
        // Health checks may use half of the connections.
        HOSTLER_LIMIT_SSH_CONNECTIONS: String(2 * input.concurrency),
        HOSTLER_CHECK_INTERVAL_S: '3600',
      },
      path.join(folder, 'log'),
    );
    return new BenchHostler(program, new Database(path.join(folder, 'hostler.sqlite')), input);
  }

  /** Seconds from the first request until the last host is ready. */
  async enrolAll(): Promise<EnrolResult> {
    const { hosts, keyFile } = this.#input;
    const client = createClient({ baseUrl: this.#program.url, user: 'admin', password: PASSWORD });
    const key = readFileSync(keyFile).toString('base64');
    const startedMs = performance.now();
    await runConcurrently(hosts, CONCURRENCY, async ({ address, port }) => {
      await client.putHost({ address, body: { ssh_priv_key: key, ssh_port: port } });
      return true;
    });
    await this.#waitForCount('select count(*) from hosts where status = ?', 'disassociated', hosts.length);
    const seconds = (performance.now() - startedMs) / 1000;
    const status = readFileSync(`/proc/${this.#program.pid}/status`, 'utf8');
    return { seconds, peakMib: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 };
  }

  async gatherFacts(): Promise<SshBenchResult & { readonly loopDelayP99Ms: number }> {
    const { hosts } = this.#input;
    const [first] = hosts;
    const client = createClient({ baseUrl: this.#program.url, user: 'admin', password: PASSWORD });
    await this.#program.loopDelayP99Ms();
    const before = new Date().toISOString().slice(0, -1);
    const [startedMs, cpu, now] = [performance.now(), readCpuSeconds(this.#program.pid, 'own'), Date.now()];
    this.#store.prepare('update host_queue set facts_due_at = 0, check_due_at = ?').run(now);
    // A new task wakes the engine, which then finds the due checks.
    await client.bootstrapHost({ address: first?.address ?? '', body: {} });
    await this.#waitForCount('select count(*) from host_queue where facts_due_at > ?', now, hosts.length);
    const succeeded = this.#count('select count(*) from hosts where last_check > ?', before);
    return {
      succeeded,
      seconds: (performance.now() - startedMs) / 1000,
      cpuSeconds: readCpuSeconds(this.#program.pid, 'own') - cpu,
      loopDelayP99Ms: await this.#program.loopDelayP99Ms(),
    };
  }

  async stop(): Promise<void> {
    this.#store.close();
    await this.#program.stop();
  }

  /** Polls the store directly, so that the server is not affected. */
  async #waitForCount(query: string, parameter: string | number, expected: number): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    while (this.#count(query, parameter) < expected) {
      if (performance.now() > deadline) throw new Error(`timed out: ${query}`);
      await delay(POLL_INTERVAL_MS);
    }
  }

  #count(query: string, parameter: string | number): number {
    const statement = this.#store.prepare<[string | number], { 'count(*)': number }>(query);
    return statement.get(parameter)?.['count(*)'] ?? 0;
  }
}
