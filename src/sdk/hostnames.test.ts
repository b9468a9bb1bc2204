import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { fetchHostnames } from './hostnames.ts';

test('fetchHostnames() reads one page, and omits hosts whose name is not known', async () => {
  const queries: unknown[] = [];
  const client = {
    listHosts: async ({ query }: { readonly query: object }) => {
      queries.push(query);
      return { body: [{ address: '::1', hostname: 'web-1' }, { address: '::2', hostname: '' }, { address: '::3' }] };
    },
  } as unknown as Pick<Client, 'listHosts'>;
  expect([...(await fetchHostnames(client))]).toEqual([['::1', 'web-1']]);
  expect(queries).toEqual([{ extended: true, limit: 5000 }]);
});
