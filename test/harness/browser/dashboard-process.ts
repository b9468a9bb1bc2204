import { randomBytes } from 'node:crypto';
import type { Client } from '../../../src/sdk/client.ts';
import { buildWeb } from '../../../tools/build/web.js';
import { createActiveCluster } from '../active-cluster.ts';
import { SshSimulatedHosts } from '../host-fleets/ssh-simulated-hosts.ts';
import { freePort } from '../http/sockets.ts';
import { PROJECT } from '../programs/process.ts';
import { createAdminClient, ServerProcess, serverSettings } from '../programs/server-process.ts';
import type { TestDatabase } from '../stores/stores.ts';
import { createTestDatabase } from '../stores/stores.ts';

/** The clocks of the simulated hosts run five times as fast as real time. */
const FLEET = { speed: 5, latencies: { commandMs: 10, bootMs: 3000 } };

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
  readonly #server: ServerProcess;

  private constructor(
    fleet: SshSimulatedHosts,
    database: TestDatabase,
    settings: Readonly<Record<string, string>>,
    server: ServerProcess,
  ) {
    this.url = `http://${settings['HOSTLER_LISTEN']}`;
    this.client = createAdminClient(this.url);
    this.fleet = fleet;
    this.#database = database;
    this.#settings = settings;
    this.#server = server;
  }

  static async start(cluster: string, hosts: number, options = {}): Promise<DashboardProcess> {
    const [database, port] = [await createTestDatabase('sqlite'), await freePort()];
    const fleet = await SshSimulatedHosts.start({ hosts, ...FLEET });
    await buildWeb(PROJECT);
    const settings = serverSettings(database, {
      HOSTLER_LISTEN: `127.0.0.1:${port}`,
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      HOSTLER_LOG_LEVEL: 'warn',
      ...options,
    });
    const server = await ServerProcess.start({ name: 'dashboard server', settings });
    const started = new DashboardProcess(fleet, database, settings, server);
    const access = { ssh_priv_key: fleet.privateKey };
    const members = [...fleet.endpoints].map(([address, { port }]) => ({ address, ssh_port: port, ...access }));
    await createActiveCluster(started.client, cluster, members);
    return started;
  }

  get addresses(): readonly string[] {
    return [...this.fleet.endpoints.keys()];
  }

  async kill(): Promise<void> {
    await this.#server.inject('kill_server');
  }

  async restart(): Promise<void> {
    await this.#server.revert('kill_server');
  }

  /** Runs the server on another port, so that open tabs do not reconnect. */
  async runOnOtherPort(use: (client: Client) => Promise<void>): Promise<void> {
    const address = `127.0.0.1:${await freePort()}`;
    const settings = { ...this.#settings, HOSTLER_LISTEN: address };
    const server = await ServerProcess.start({ name: 'server on another port', settings });
    try {
      await use(server.client);
    } finally {
      await server.stop();
    }
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    await this.fleet.stop();
    await this.#database.remove();
  }
}
