// What requests leave behind in the memory of the service: nothing that grows with their number.

import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { routes } from '../../src/contract/index.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';
import { basic } from '../harness/service.ts';
import type { StorePlace } from '../harness/stores/stores.ts';
import { describeStores, makeStorePlace } from '../harness/stores/stores.ts';
import { ADMIN, ADMIN_SETTINGS } from '../harness/traffic/steps.ts';
import { Traffic } from '../harness/traffic/traffic.ts';

/** The whole takes a minute on each store. */
const [FEW, MANY] = process.env['HOSTLER_TEST_ALL'] ? [5000, 50_000] : [400, 1600];
const MOST_GROWTH = 1.1;

const serveOn = ({ folder, location }: StorePlace) =>
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
    // Node drops the code of what was not called for a while, and would hide what grew.
    [
      '--expose-gc',
      '--no-flush-bytecode',
      '--import',
      import.meta.resolve('../harness/programs/heap-report.ts'),
    ],
  );

describeStores(
  kind => `the heap, on ${kind}`,
  kind => {
    let place: StorePlace;
    let service: RunningProgram;
    afterEach(async () => {
      await service.kill('SIGKILL');
      await place.remove();
    });

    async function heapBytes(report: number): Promise<number> {
      service.child.kill('SIGUSR2');
      return Number(await service.says(new RegExp(`heap report ${report}: (\\d+) of`)));
    }

    /** Every list of records. */
    const listed = (url: string) =>
      Promise.all(
        ['cluster/', 'networks/', 'containermanagers/', 'hosts', 'users', 'tokens'].map(async path => {
          const answer = await fetch(`${url}/api/v0/${path}`, { headers: { authorization: basic(ADMIN) } });
          return answer.json();
        }),
      );

    test(`after ${MANY} requests is what it was after ${FEW}`, { timeout: 600_000 }, async () => {
      place = await makeStorePlace(kind);
      service = serveOn(place);
      const url = await service.url();
      const traffic = new Traffic(url);
      await traffic.until(FEW);
      const records = await listed(url);
      const few = await heapBytes(1);
      await traffic.until(MANY);
      expect(await listed(url)).toEqual(records);
      expect([...traffic.routes].sort()).toEqual(Object.keys(routes).sort());
      const many = await heapBytes(2);
      expect(service.stderr).toBe('');
      // Nobody has set an endpoint for traces.
      expect(await service.says(/heap report 2: .*, (\d+) files of OpenTelemetry/)).toBe('0');
      expect(many / few, `${few} bytes, then ${many}`).toBeLessThanOrEqual(MOST_GROWTH);
    });
  },
);
