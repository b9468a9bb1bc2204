import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Case } from './api/cases.ts';
import { CASES, CONNECTIONS, HOSTS } from './api/cases.ts';
import { PASSWORD } from './api/requests.ts';
import { load } from './load-generator.ts';
import { median } from './measure.ts';
import { ServerProcess } from './server-process.ts';

/** Requests per second by case. */
type Rates = Map<string, number>;

const ROUNDS = 30;
/** Short rounds: the speed of a shared machine changes within seconds, and both trees must see the same changes. */
const REQUESTS_SHARE = 0.1;
const WARM_UP_ROUNDS = 6;

/** A server of one tree. Its store is filled by the same tree, because the schema can differ. */
class TreeServer {
  readonly #folder: string;
  readonly #process: ServerProcess;

  private constructor(folder: string, serverProcess: ServerProcess) {
    this.#folder = folder;
    this.#process = serverProcess;
  }

  static async start(tree: string): Promise<TreeServer> {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostler-compare-'));
    const stores: typeof import('../src/store/sqlite/open-sqlite.ts') = await import(
      path.join(tree, 'src/store/sqlite/open-sqlite.ts')
    );
    const seeds: typeof import('./seed-store.ts') = await import(path.join(tree, 'bench/seed-store.ts'));
    const store = await stores.openSqlite(folder);
    await seeds.addHosts(store, 0, HOSTS, seeds.clusterNames);
    await store.close();
    const settings = {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: folder,
      HOSTLER_ADMIN_PASSWORD: PASSWORD,
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      HOSTLER_STORE: 'sqlite',
      // No host is checked during the measurement.
      HOSTLER_CHECK_INTERVAL_S: '86400',
    };
    const program = path.join(tree, 'bin/hostler.js');
    const serverProcess = await ServerProcess.start([program, 'serve'], settings, path.join(folder, 'log'));
    return new TreeServer(folder, serverProcess);
  }

  async measureRate({ count, request }: Case): Promise<number> {
    const { perSecond } = await load(this.#process.url, count * REQUESTS_SHARE, CONNECTIONS, request);
    return perSecond;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Runs a server of each tree and alternates their requests. */
export async function compareApi(olderTree: string, tree: string): Promise<{ before: Rates; after: Rates }> {
  const [older, newer] = [await TreeServer.start(olderTree), await TreeServer.start(tree)];
  const [before, after]: [Rates, Rates] = [new Map(), new Map()];
  try {
    for (const entry of CASES) {
      const [olderRates, newerRates]: [number[], number[]] = [[], []];
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        // The order alternates, because the second server of a round can be slower or faster.
        const servers = round % 2 === 0 ? [older, newer] : [newer, older];
        for (const server of servers) {
          const rate = await server.measureRate(entry);
          if (round >= 0) (server === older ? olderRates : newerRates).push(rate);
        }
      }
      const name = `${entry.name}, requests per second`;
      before.set(name, median(olderRates));
      after.set(name, median(newerRates));
    }
  } finally {
    await Promise.all([older.stop(), newer.stop()]);
  }
  return { before, after };
}
