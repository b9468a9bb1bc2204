// Three servers in processes of their own, one PostgreSQL with fsync on, and hosts that outlive all of them.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { memoryFolder } from '../stores/memory-folder.ts';
import type { OwnPostgres } from '../stores/postgres.ts';
import { startPostgres } from '../stores/postgres.ts';
import { ADMIN_SETTINGS } from '../traffic/steps.ts';
import { until } from '../until.ts';
import { ChaosServer } from './chaos-server.ts';
import type { Fleet } from './fleet.ts';
import { People } from './people.ts';

const ROOM_MB = 600;
const READY_WITHIN_MS = 120_000;
const AT_ONCE = 6;
export const CLUSTER = 'web';

interface StageOptions {
  readonly fleet: Promise<Fleet>;
  readonly seed: number;
  readonly servers: number;
  readonly leaseS: number;
}

/** Whoever runs the service keeps to these. */
const settingsFor = (leaseS: number) => ({
  ...ADMIN_SETTINGS,
  HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
  HOSTLER_LEASE_S: String(leaseS),
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '5',
  HOSTLER_EVENT_HEARTBEAT_S: '1',
  HOSTLER_LOG_LEVEL: 'warn',
});

export class Stage {
  readonly fleet: Fleet;
  readonly postgres: OwnPostgres;
  readonly servers: readonly ChaosServer[];
  readonly people: People;
  readonly leaseMs: number;

  private constructor(parts: Pick<Stage, 'fleet' | 'postgres' | 'servers' | 'people' | 'leaseMs'>) {
    this.leaseMs = parts.leaseMs;
    this.fleet = parts.fleet;
    this.postgres = parts.postgres;
    this.servers = parts.servers;
    this.people = parts.people;
  }

  /** All hosts are in one cluster, and active. */
  static async set({ seed, servers: count, leaseS, fleet: opening }: StageOptions): Promise<Stage> {
    const postgres = await startPostgres(memoryFolder({ roomMb: ROOM_MB }));
    if (postgres === undefined) throw new Error('PostgreSQL cannot be had here');
    const settings = settingsFor(leaseS);
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const servers = await Promise.all(
      numbers.map(number => ChaosServer.make({ number, store: postgres.url, settings })),
    );
    const [fleet] = await Promise.all([opening, ...servers.map(server => server.start())]);
    const stage = new Stage({
      ...{ fleet, postgres, servers },
      people: new People(servers, seed),
      leaseMs: leaseS * 1000,
    });
    await stage.#enrol();
    return stage;
  }

  async #enrol(): Promise<void> {
    const { people, fleet } = this;
    await people.insist(`cluster/${CLUSTER}`, { method: 'PUT', body: { network: 'default' } });
    const waiting = [...fleet.doors];
    const enrolOn = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [address, { port }] = next;
        const body = { ssh_priv_key: fleet.privateKey, ssh_port: port, cluster: CLUSTER };
        await people.insist(`host/${address}`, { method: 'PUT', body });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, enrolOn));
    await until(
      'all hosts are active',
      async () => (await this.#active()) === fleet.doors.size,
      READY_WITHIN_MS,
    );
  }

  async #active(): Promise<number> {
    const [row] = await this.query<{ active: string }>(
      "select count(*) as active from hosts where status = 'active'",
    );
    return Number(row?.active);
  }

  /** Asks PostgreSQL itself. */
  async query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map(server => server.stop()));
    await this.fleet.stop();
    await this.postgres.stop();
  }
}
