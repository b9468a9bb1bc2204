// Hostler itself, as people run it: a process of its own, enrolled over HTTP. When all hosts are in, all of their checks are made
// due at the same moment, with all facts: each host is claimed, asked, and saved.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createClient } from '../../src/client/client.ts';
import { Program } from '../program.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import type { SshJob, SshResult } from './job.ts';
import { inRows } from './job.ts';

const PASSWORD = 'bench';
const PAUSE_MS = 20;
const ENROLLERS = 8;
const DEADLINE_MS = 300_000;

export interface Enrolled {
  readonly seconds: number;
  readonly peakMib: number;
}

export class BenchedHostler {
  readonly #program: Program;
  readonly #store: Database.Database;
  readonly #job: SshJob;

  private constructor(program: Program, store: Database.Database, job: SshJob) {
    this.#program = program;
    this.#store = store;
    this.#job = job;
  }

  static async start(folder: string, job: SshJob): Promise<BenchedHostler> {
    const program = await Program.start(
      ['bin/hostler.js', 'serve'],
      {
        HOSTLER_DATA: folder,
        HOSTLER_LISTEN: '127.0.0.1:0',
        HOSTLER_ADMIN_PASSWORD: PASSWORD,
        // Checks have half of them.
        HOSTLER_LIMIT_SSH_CONNECTIONS: String(2 * job.atOnce),
        HOSTLER_CHECK_INTERVAL_S: '3600',
      },
      path.join(folder, 'log'),
    );
    return new BenchedHostler(program, new Database(path.join(folder, 'hostler.sqlite')), job);
  }

  /** All hosts brought in, from the first request to the last that is ready. */
  async enrolAll(): Promise<Enrolled> {
    const { hosts, keyFile } = this.#job;
    const client = createClient({ baseUrl: this.#program.url, user: 'admin', password: PASSWORD });
    const key = readFileSync(keyFile).toString('base64');
    const begun = performance.now();
    await inRows(hosts, ENROLLERS, async ({ address, port }) => {
      await client.putHost({ address, body: { ssh_priv_key: key, ssh_port: port } });
      return true;
    });
    await this.#until('select count(*) from hosts where status = ?', 'disassociated', hosts.length);
    const seconds = (performance.now() - begun) / 1000;
    const status = readFileSync(`/proc/${this.#program.pid}/status`, 'utf8');
    return { seconds, peakMib: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 };
  }

  async facts(): Promise<SshResult & { readonly loopDelayP99Ms: number }> {
    const { hosts } = this.#job;
    const [first] = hosts;
    const client = createClient({ baseUrl: this.#program.url, user: 'admin', password: PASSWORD });
    await this.#program.loopDelayP99Ms();
    const before = new Date().toISOString().slice(0, -1);
    const [begun, cpu, now] = [performance.now(), cpuSeconds(this.#program.pid, 'own'), Date.now()];
    this.#store.prepare('update host_queue set facts_due_at = 0, check_due_at = ?').run(now);
    // Work that is saved wakes the engine, which then finds the checks.
    await client.bootstrapHost({ address: first?.address ?? '', body: {} });
    await this.#until('select count(*) from host_queue where facts_due_at > ?', now, hosts.length);
    const answered = this.#count('select count(*) from hosts where last_check > ?', before);
    return {
      answered,
      seconds: (performance.now() - begun) / 1000,
      cpuSeconds: cpuSeconds(this.#program.pid, 'own') - cpu,
      loopDelayP99Ms: await this.#program.loopDelayP99Ms(),
    };
  }

  async stop(): Promise<void> {
    this.#store.close();
    await this.#program.stop();
  }

  /** Looks at the store past the service, which is not to notice. */
  async #until(query: string, parameter: string | number, wanted: number): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    while (this.#count(query, parameter) < wanted) {
      if (performance.now() > deadline) throw new Error(`timed out: ${query}`);
      await delay(PAUSE_MS);
    }
  }

  #count(query: string, parameter: string | number): number {
    const statement = this.#store.prepare<[string | number], { 'count(*)': number }>(query);
    return statement.get(parameter)?.['count(*)'] ?? 0;
  }
}
