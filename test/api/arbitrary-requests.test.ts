// Sends random requests to every route. The server must always respond, never with a 5xx status, and a
// rejected request must not change the store.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteName } from '../../src/contract/index.ts';
import { routes } from '../../src/contract/index.ts';
import { ROLES } from '../../src/domain/vocabulary.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import type { RawRequest } from '../harness/arbitraries/requests.ts';
import { arbitraryRequest, encodeRequest, hasValidFraming } from '../harness/arbitraries/requests.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { expectValidResponse } from '../harness/http/raw-requests.ts';
import type { StoredRows } from '../harness/stores/database-inspection.ts';
import { openStoredRows } from '../harness/stores/database-inspection.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';

const RUNS_PER_ROUTE = IS_LONG_RUN ? { sqlite: 60, postgres: 60 } : { sqlite: 4, postgres: 1 };

const names = Object.keys(routes) as RouteName[];
/** Sent directly after a request, to check that the server finds the end of that request. */
const HEALTH = Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');

/**
 * The server reads this many bytes at once. The rest of a longer request can still be in transit when the
 * server rejects it, and the connection can then close before the response arrives.
 */
const READ_AT_ONCE_BYTES = 65_536;

describeServer(
  'arbitrary requests',
  service => {
    const credentials: string[] = [];
    let rows: StoredRows;
    let stored = '';
    let initial: string | undefined;
    let operation = '';

    beforeAll(async () => {
      for (const role of ROLES) credentials.push(await service().makeAccount(`any-${role}`, role));
      await service().makeAccount('web', 'viewer');
      rows = await openStoredRows(service().database);
    });
    afterAll(() => rows.close());

    /** Creates the records that the requests read, change and remove, unless they are unchanged. */
    async function makeRecords() {
      stored = await rows.read();
      if (stored === initial) return;
      await service().put('/api/v0/network/lab', { type: 'flannel_kube', options: {} });
      await service().put('/api/v0/containermanager/lab', {
        type: 'k3s',
        options: { server_url: 'https://127.0.0.1:6443', token: 'secret' },
      });
      await service().put('/api/v0/cluster/web', { network: 'lab', container_manager: 'lab' });
      await service().makeHosts('active', 'web', '127.0.0.1', '::1');
      await service().makeHosts('active', undefined, '127.0.0.2');
      await service().put('/api/v0/cluster/db', { network: 'default' });
      const { headers } = await service().put('/api/v0/cluster/db/restart');
      operation = getOperationId({ headers });
      stored = await rows.read();
      initial = stored;
    }

    async function expectUnchanged(isRefused: boolean) {
      const now = await rows.read();
      if (isRefused) expect(now).toBe(stored);
      stored = now;
    }

    async function expectAnswered(request: RawRequest, connection: RawConnection) {
      const bytes = encodeRequest(request);
      const isHead = request.method === 'HEAD';
      connection.write(hasValidFraming(request) ? Buffer.concat([bytes, HEALTH]) : bytes);
      const response = await connection.nextResponse(isHead);
      if (response) expectValidResponse(response, isHead);
      // Node closes the connection of a CONNECT request.
      else expect(request.method === 'CONNECT' || bytes.length > READ_AT_ONCE_BYTES).toBe(true);
      if (response?.headers.get('connection') === 'keep-alive' && hasValidFraming(request)) {
        expect((await connection.nextResponse())?.status).toBe(200);
      }
      await expectUnchanged(response === undefined || response.status >= 400);
    }

    test.each(names)(
      '%s responds with a status below 500 and stores nothing if it rejects the request',
      { timeout: 600_000 },
      async name => {
        await makeRecords();
        const request = arbitraryRequest(routes[name], credentials);
        const property = fc.asyncProperty(request, async sent => {
          const connection = new RawConnection(service().url);
          const target = sent.target.replaceAll('{id}', operation);
          await expectAnswered({ ...sent, target }, connection).finally(() => connection.close());
        });
        await fc.assert(property, { numRuns: RUNS_PER_ROUTE[service().database.kind] });
      },
    );
  },
  {
    HOSTLER_LIMIT_FAILED_LOGINS: '1000000',
    HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '5',
    HOSTLER_TRUST_PROXY: '127.0.0.1',
  },
);
