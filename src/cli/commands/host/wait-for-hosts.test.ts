import { expect, test } from 'vitest';
import { createClient } from '../../../sdk/client.ts';
import { waitForHosts } from './wait-for-hosts.ts';

test('waitForHosts() ends without an error when it is interrupted during a request', async () => {
  const interrupt = new AbortController();
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    headers: {},
    transport: async ({ pathname }, { signal }) => {
      if (pathname === '/api/v0/hosts') return new Response('[]');
      interrupt.abort();
      throw signal?.reason;
    },
  });
  const clock = { now: () => 0, monotonicMs: () => 0, setTimer: () => () => {} };
  const context = { client, async *follow() {}, terminal: { clock } };
  const options = { timeoutMs: 1000, signal: interrupt.signal, onDone: () => {} };
  const results = await waitForHosts(context, ['127.0.0.1'], options);
  expect(results).toMatchObject([{ address: '127.0.0.1', isReady: false }]);
});
