// The memory of the service must not grow with the number of requests.

import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { routes } from '../../src/contract/index.ts';
import { basic } from '../harness/credentials.ts';
import { ServerProcess, serverSettings, USAGE_ARGS } from '../harness/programs/server-process.ts';
import type { TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describeByStore, SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';
import { RequestCounts, requestLoad, ScenarioClient } from '../harness/workload/request-load.ts';
import { ADMIN, SCENARIO_SETTINGS } from '../harness/workload/requests.ts';

const [FEW, MANY] = IS_LONG_RUN ? [2500, 25_000] : [400, 1600];
const MAX_GROWTH = 1.1;

const CLIENTS = 8;

const serveOn = (database: TestDatabase) =>
  ServerProcess.start({
    settings: serverSettings(database, {
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      HOSTLER_LOG_LEVEL: 'warn',
      ...SCENARIO_SETTINGS,
    }),
    nodeArgs: USAGE_ARGS,
  });

describeByStore(
  kind => `the heap, on ${kind}`,
  kind => {
    let database: TestDatabase;
    let server: ServerProcess;
    const counts = new RequestCounts();
    let scenarios = 0;
    afterEach(async () => {
      await server?.stop();
      await database.remove();
    });

    /** Sends at least this total number of requests and disconnects. */
    async function sendRequests(url: string, requests: number): Promise<void> {
      const clients = Array.from({ length: CLIENTS }, () => new ScenarioClient(url));
      const scenario = () => {
        scenarios += 1;
        return scenarios;
      };
      const loops = clients.map(client => requestLoad({ client, counts, pauseMs: 0, scenario }));
      await Promise.all(loops.map(loop => loop.runWhile(() => counts.requests < requests)));
      for (const client of clients) client.close();
      expect(loops.flatMap(({ errors }) => errors)).toEqual([]);
      expect(counts.unavailable).toBe(0);
    }

    const readLists = (url: string) =>
      Promise.all(
        ['cluster/', 'networks/', 'containermanagers/', 'hosts', 'users', 'tokens'].map(async path => {
          const response = await fetch(`${url}/api/v0/${path}`, { headers: { authorization: basic(ADMIN) } });
          return response.json();
        }),
      );

    test(`is as large after ${MANY} requests as after ${FEW}`, { timeout: 600_000 }, async () => {
      database = await createTestDatabase(kind);
      server = await serveOn(database);
      const { url = '', program } = server;
      await sendRequests(url, FEW);
      const records = await readLists(url);
      const few = await server.measureUsage();
      await sendRequests(url, MANY);
      expect(await readLists(url)).toEqual(records);
      expect([...counts.routes].sort()).toEqual(Object.keys(routes).sort());
      const many = await server.measureUsage();
      expect(program.stderr).toBe('');
      // No trace endpoint is set.
      expect((await server.readHeapReport()).openTelemetryFiles).toBe(0);
      expect(many.heapMib / few.heapMib, `${few.heapMib} MiB, then ${many.heapMib}`).toBeLessThanOrEqual(MAX_GROWTH);
    });
  },
  SQLITE_UNLESS_LONG,
);
