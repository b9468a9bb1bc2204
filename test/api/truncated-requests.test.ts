// Sends requests that stop in the middle. The server must reject them, close the connection and change
// nothing.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../src/contract/index.ts';
import { truncatedRequest } from '../harness/arbitraries/truncated-requests.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { expectValidResponse } from '../harness/http/raw-requests.ts';
import type { StoredRows } from '../harness/stores/database-inspection.ts';
import { openStoredRows } from '../harness/stores/database-inspection.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';

/** Each run sends its requests concurrently and waits for the receive timeout. */
const RUNS = IS_LONG_RUN ? 10 : 2;

describeServer(
  'truncated requests',
  service => {
    let rows: StoredRows;
    beforeAll(async () => {
      rows = await openStoredRows(service().database);
    });
    afterAll(() => rows.close());

    async function expectRejected(bytes: string) {
      const connection = new RawConnection(service().url);
      connection.write(bytes);
      const [response, ...others] = await connection.allResponses();
      // The server sends no response if it received nothing.
      const request = `the response to ${JSON.stringify(bytes)}`;
      if (bytes === '') {
        expect(response, request).toBeUndefined();
        return;
      }
      if (response) expectValidResponse(response);
      // The server does not wait for the body of a GET request and responds immediately.
      if (!bytes.startsWith('GET ')) expect(response?.status, request).toBe(408);
      expect([response?.headers.get('connection'), others], request).toEqual(['close', []]);
    }

    test('get one response, 408 if the server waits for the rest, and change nothing', {
      timeout: 300_000,
    }, async () => {
      const stored = await rows.read();
      const requests = Object.values(routes).map(route => truncatedRequest(route, `admin:${ADMIN_PASSWORD}`));
      await fc.assert(
        fc.asyncProperty(fc.tuple(...requests), async all => {
          await Promise.all(all.map(expectRejected));
          expect(await rows.read()).toBe(stored);
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    });
  },
  // A shorter timeout could end on a busy machine before the server reads the first byte.
  { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '3' },
);
