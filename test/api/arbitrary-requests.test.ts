// Whatever is sent, the service answers it, and never with a failure of its own. What it refuses leaves no trace.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteName } from '../../src/contract/index.ts';
import { routes } from '../../src/contract/index.ts';
import { ROLES } from '../../src/domain/vocabulary.ts';
import type { RawRequest } from '../harness/arbitrary/requests.ts';
import { bytesOf, isFair, requestTo } from '../harness/arbitrary/requests.ts';
import { expectGood } from '../harness/http/expect-good.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import type { StoredRows } from '../harness/stores/stored-rows.ts';
import { openStoredRows } from '../harness/stores/stored-rows.ts';

const RUNS_PER_ROUTE = process.env['HOSTLER_TEST_ALL'] ? 300 : 20;

const names = Object.keys(routes) as RouteName[];
/** Comes right behind, to find out whether the service knows where a request ends. */
const HEALTH = Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');

/** What the service reads at once. Of a longer request some may still be under way when it is refused, and cut the answer off. */
const READ_AT_ONCE_BYTES = 65_536;

onEachStore(
  'arbitrary requests',
  service => {
    const credentials: string[] = [];
    let rows: StoredRows;
    let stored = '';
    let asMade: string | undefined;
    let operation = '';

    beforeAll(async () => {
      for (const role of ROLES) credentials.push(await service().makeAccount(`any-${role}`, role));
      await service().makeAccount('web', 'viewer');
      rows = await openStoredRows(service().place);
    });
    afterAll(() => rows.close());

    /** Something to be asked for, changed and removed; unless all of it is there as it was made. */
    async function makeRecords() {
      stored = await rows.read();
      if (stored === asMade) return;
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
      operation = headers.get('location')?.split('/').at(-1) ?? '';
      stored = await rows.read();
      asMade = stored;
    }

    async function expectUnchanged(isRefused: boolean) {
      const now = await rows.read();
      if (isRefused) expect(now).toBe(stored);
      stored = now;
    }

    async function expectAnswered(request: RawRequest, connection: RawConnection) {
      const bytes = bytesOf(request);
      const isHead = request.method === 'HEAD';
      connection.write(isFair(request) ? Buffer.concat([bytes, HEALTH]) : bytes);
      const answer = await connection.answer(isHead);
      if (answer) expectGood(answer, isHead);
      // Node closes the connection of whoever takes it for a proxy.
      else expect(request.method === 'CONNECT' || bytes.length > READ_AT_ONCE_BYTES).toBe(true);
      if (answer?.headers.get('connection') === 'keep-alive' && isFair(request)) {
        expect((await connection.answer())?.status).toBe(200);
      }
      await expectUnchanged(answer === undefined || answer.status >= 400);
    }

    test.each(names)(
      'to %s are answered, never by a status of 500 or more, and leave no trace if refused',
      { timeout: 600_000 },
      async name => {
        await makeRecords();
        const request = requestTo(routes[name], credentials);
        const property = fc.asyncProperty(request, async sent => {
          const connection = new RawConnection(service().url);
          const target = sent.target.replaceAll('{id}', operation);
          await expectAnswered({ ...sent, target }, connection).finally(() => connection.close());
        });
        await fc.assert(property, { numRuns: RUNS_PER_ROUTE });
      },
    );
  },
  {
    HOSTLER_LIMIT_FAILED_LOGINS: '1000000',
    HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '5',
    HOSTLER_TRUST_PROXY: '127.0.0.1',
  },
);
