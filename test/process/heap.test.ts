// The memory of the service must not grow with the number of requests.

import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { routes } from '../../src/contract/index.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';
import { basic } from '../harness/service.ts';
import type { TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describeStores, SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';
import { ADMIN, ADMIN_SETTINGS } from '../harness/traffic/requests.ts';
import { Traffic } from '../harness/traffic/traffic.ts';

/** Takes a minute per store. */
const [FEW, MANY] = process.env['HOSTLER_TEST_ALL'] ? [5000, 50_000] : [400, 1600];
const MAX_GROWTH = 1.1;

const serveOn = ({ folder, location }: TestDatabase) =>
  runHostler(
    ['serve'],
    {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: folder,
      HOSTLER_STORE: location,
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      ...ADMIN_SETTINGS,
      HOSTLER_LOG_LEVEL: 'warn',
      HOSTLER_TRUST_PROXY: '127.0.0.1',
      HOSTLER_LIMIT_FAILED_LOGINS: '2',
    },
    // Node would discard unused bytecode and thereby hide growth.
    ['--expose-gc', '--no-flush-bytecode', '--import', import.meta.resolve('../harness/programs/heap-report.ts')],
  );

describeStores(
  kind => `the heap, on ${kind}`,
  kind => {
    let place: TestDatabase;
    let service: RunningProgram;
    afterEach(async () => {
      await service.kill('SIGKILL');
      await place.remove();
    });

    async function heapBytes(report: number): Promise<number> {
      service.child.kill('SIGUSR2');
      return Number(await service.waitForOutput(new RegExp(`heap report ${report}: (\\d+) of`)));
    }

    const readLists = (url: string) =>
      Promise.all(
        ['cluster/', 'networks/', 'containermanagers/', 'hosts', 'users', 'tokens'].map(async path => {
          const response = await fetch(`${url}/api/v0/${path}`, { headers: { authorization: basic(ADMIN) } });
          return response.json();
        }),
      );

    test(`is as large after ${MANY} requests as after ${FEW}`, { timeout: 600_000 }, async () => {
      place = await createTestDatabase(kind);
      service = serveOn(place);
      const url = await service.url();
      const traffic = new Traffic(url);
      await traffic.sendRequests(FEW);
      const records = await readLists(url);
      const few = await heapBytes(1);
      await traffic.sendRequests(MANY);
      expect(await readLists(url)).toEqual(records);
      expect([...traffic.routes].sort()).toEqual(Object.keys(routes).sort());
      const many = await heapBytes(2);
      expect(service.stderr).toBe('');
      // No trace endpoint is set.
      expect(await service.waitForOutput(/heap report 2: .*, (\d+) files of OpenTelemetry/)).toBe('0');
      expect(many / few, `${few} bytes, then ${many}`).toBeLessThanOrEqual(MAX_GROWTH);
    });
  },
  SQLITE_UNLESS_LONG,
);
