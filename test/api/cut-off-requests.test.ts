// Whoever stops in the middle of a request is told so and cut off, unless it was answered before. What was half said is not done.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/contract/index.ts';
import { cutOffRequestTo } from '../harness/arbitrary/cut-off.ts';
import { expectGood } from '../harness/http/expect-good.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { ADMIN_PASSWORD } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import type { StoredRows } from '../harness/stores/stored-rows.ts';
import { openStoredRows } from '../harness/stores/stored-rows.ts';

/** Each waits for the limit, all its requests at once. */
const RUNS = process.env['HOSTLER_TEST_ALL'] ? 20 : 2;

onEachStore(
  'requests that stop in the middle',
  service => {
    let rows: StoredRows;
    beforeAll(async () => {
      rows = await openStoredRows(service().place);
    });
    afterAll(() => rows.close());

    async function expectCutOff(bytes: string) {
      const connection = new RawConnection(service().url);
      connection.write(bytes);
      const [answer, ...others] = await connection.answers();
      // Who has asked for nothing is told nothing.
      if (bytes === '') {
        expect(answer).toBeUndefined();
        return;
      }
      if (answer) expectGood(answer);
      // Nobody waits for the body of a GET, nor says a word after its answer.
      if (!bytes.startsWith('GET ')) expect(answer?.status).toBe(408);
      expect([answer?.headers.get('connection'), others]).toEqual(['close', []]);
    }

    test('are answered once, by 408 where the rest is waited for, and cut off on every route, and leave no trace', {
      timeout: 300_000,
    }, async () => {
      const stored = await rows.read();
      const requests = Object.values(routes).map(row => cutOffRequestTo(row, `admin:${ADMIN_PASSWORD}`));
      await fc.assert(
        fc.asyncProperty(fc.tuple(...requests), async all => {
          await Promise.all(all.map(expectCutOff));
          expect(await rows.read()).toBe(stored);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    });
  },
  { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1' },
);
