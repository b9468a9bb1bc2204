import { randomBytes } from 'node:crypto';
import type { Client } from '../../../src/sdk/client.ts';
import { createClient } from '../../../src/sdk/client.ts';
import { buildWeb } from '../../../tools/build/web.js';
import { SshSimulatedHosts } from '../host-fleets/ssh-simulated-hosts.ts';
import { freePort } from '../http/sockets.ts';
import type { RunningProgram } from '../programs/process.ts';
import { PROJECT, runHostler } from '../programs/process.ts';
import { ADMIN_PASSWORD } from '../service.ts';
import type { TestDatabase } from '../stores/stores.ts';
import { createTestDatabase } from '../stores/stores.ts';
import { waitUntil } from '../wait-until.ts';

/** The clocks of the simulated hosts run five times as fast as real time. */
const FLEET = { speed: 5, latencies: { commandMs: 10, bootMs: 3000 } };

const createClientAt = (baseUrl: string): Client => createClient({ baseUrl, user: 'admin', password: ADMIN_PASSWORD });

/**
 * The server in its own process, which a test can kill and restart on the same port, and hosts that outlive
 * it.
 */
export class DashboardProcess {
  readonly url: string;
  readonly client: Client;
  readonly fleet: SshSimulatedHosts;
  readonly #database: TestDatabase;
  readonly #settings: Readonly<Record<string, string>>;
  #program: RunningProgram | undefined;

  private constructor(
    port: number,
    fleet: SshSimulatedHosts,
    database: TestDatabase,
    settings: Record<string, string>,
  ) {
    this.url = `http://127.0.0.1:${port}`;
    this.client = createClientAt(this.url);
    this.fleet = fleet;
    this.#database = database;
    this.#settings = {
      HOSTLER_LISTEN: `127.0.0.1:${port}`,
      HOSTLER_DATA: database.folder,
      HOSTLER_STORE: database.location,
      HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      HOSTLER_LOG_LEVEL: 'warn',
      ...settings,
    };
  }

  static async start(cluster: string, hosts: number, settings = {}): Promise<DashboardProcess> {
    const [database, port] = [await createTestDatabase('sqlite'), await freePort()];
    const fleet = await SshSimulatedHosts.start({ hosts, ...FLEET });
    await buildWeb(PROJECT);
    const started = new DashboardProcess(port, fleet, database, settings);
    await started.restart();
    await started.#enrol(cluster);
    return started;
  }

  get addresses(): readonly string[] {
    return [...this.fleet.endpoints.keys()];
  }

  async #enrol(name: string): Promise<void> {
    await this.client.putCluster({ name, body: { network: 'default' } });
    const access = { ssh_priv_key: this.fleet.privateKey, cluster: name };
    const hosts = [...this.fleet.endpoints].map(([address, { port }]) => ({
      address,
      ssh_port: port,
      ...access,
    }));
    await this.client.enrolHosts({ body: { hosts } });
    await waitUntil('all hosts are active', async () => {
      const { body } = await this.client.getCluster({ name });
      return body.hosts.available === hosts.length;
    });
  }

  async restart(): Promise<void> {
    this.#program = runHostler(['serve'], this.#settings);
    await this.#program.url();
  }

  /** Runs the server on another port, so that open tabs do not reconnect. */
  async runOnOtherPort(use: (client: Client) => Promise<void>): Promise<void> {
    const port = await freePort();
    const settings = { ...this.#settings, HOSTLER_LISTEN: `127.0.0.1:${port}` };
    this.#program = runHostler(['serve'], settings);
    await use(createClientAt(await this.#program.url()));
    await this.kill();
  }

  async kill(): Promise<void> {
    await this.#program?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.fleet.stop();
    await this.#database.remove();
  }
}
