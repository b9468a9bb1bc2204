import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { Client } from '../../../src/sdk/client.ts';
import { createClient } from '../../../src/sdk/client.ts';
import { buildWeb } from '../../../tools/build/web.js';
import { SshFleet } from '../chaos/ssh-fleet.ts';
import { listen } from '../listen.ts';
import type { RunningProgram } from '../programs/process.ts';
import { PROJECT, runHostler } from '../programs/process.ts';
import { ADMIN_PASSWORD } from '../service.ts';
import type { StorePlace } from '../stores/stores.ts';
import { makeStorePlace } from '../stores/stores.ts';
import { until } from '../until.ts';

/** By the clocks of the hosts, which go five times as fast as ours. */
const FLEET = { speed: 5, times: { commandMs: 10, bootMs: 3000 } };

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise(resolve => server.close(resolve));
  return port;
}

const clientAt = (baseUrl: string): Client =>
  createClient({ baseUrl, user: 'admin', password: ADMIN_PASSWORD });

/** The service in a process of its own, which can be killed and started again at the same port, and hosts that outlive it. */
export class DashboardProcess {
  readonly url: string;
  readonly client: Client;
  readonly fleet: SshFleet;
  readonly #place: StorePlace;
  readonly #settings: Readonly<Record<string, string>>;
  #program: RunningProgram | undefined;

  private constructor(port: number, fleet: SshFleet, place: StorePlace, settings: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.client = clientAt(this.url);
    this.fleet = fleet;
    this.#place = place;
    this.#settings = {
      HOSTLER_LISTEN: `127.0.0.1:${port}`,
      HOSTLER_DATA: place.folder,
      HOSTLER_STORE: place.location,
      HOSTLER_ADMIN_PASSWORD: ADMIN_PASSWORD,
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      HOSTLER_LOG_LEVEL: 'warn',
      ...settings,
    };
  }

  /** With so many hosts in one cluster, all of them active. */
  static async start(cluster: string, hosts: number, settings = {}): Promise<DashboardProcess> {
    const [place, port] = [await makeStorePlace('sqlite'), await freePort()];
    const fleet = await SshFleet.start({ hosts, ...FLEET });
    await buildWeb(PROJECT);
    const started = new DashboardProcess(port, fleet, place, settings);
    await started.startAgain();
    await started.#enrol(cluster);
    return started;
  }

  get addresses(): readonly string[] {
    return [...this.fleet.doors.keys()];
  }

  async #enrol(name: string): Promise<void> {
    await this.client.putCluster({ name, body: { network: 'default' } });
    const access = { ssh_priv_key: this.fleet.privateKey, cluster: name };
    const hosts = [...this.fleet.doors].map(([address, { port }]) => ({
      address,
      ssh_port: port,
      ...access,
    }));
    await this.client.enrolHosts({ body: { hosts } });
    await until('all hosts are active', async () => {
      const { body } = await this.client.getCluster({ name });
      return body.hosts.available === hosts.length;
    });
  }

  async startAgain(): Promise<void> {
    this.#program = runHostler(['serve'], this.#settings);
    await this.#program.url();
  }

  /** Lets it live at another port for a while, where no tab finds it. */
  async elsewhere(live: (client: Client) => Promise<void>): Promise<void> {
    const port = await freePort();
    const settings = { ...this.#settings, HOSTLER_LISTEN: `127.0.0.1:${port}` };
    this.#program = runHostler(['serve'], settings);
    await live(clientAt(await this.#program.url()));
    await this.kill();
  }

  async kill(): Promise<void> {
    await this.#program?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.fleet.stop();
    await this.#place.remove();
  }
}
