import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { createDriverRecordClients } from './driver-record-client.ts';

test.each([
  ['network', 'network'],
  ['container_manager', 'containermanager'],
] as const)('each method of the %s client uses its own path', async (kind, segment) => {
  const requests: string[] = [];
  const client = createClient({
    ...{ baseUrl: 'http://127.0.0.1', user: 'u', password: 'p' },
    transport: async ({ pathname }, { method }) => {
      requests.push(`${method} ${pathname}`);
      return new Response('{}');
    },
  });
  const { list, get, put, remove, check } = createDriverRecordClients(client)[kind];
  await list();
  await get({ name: 'a' });
  await put({ name: 'a', body: { type: 'none', options: {} } });
  await check({ name: 'a', body: {} });
  await remove({ name: 'a' });
  expect(requests).toEqual([
    `GET /api/v0/${segment}s/`,
    `GET /api/v0/${segment}/a`,
    `PUT /api/v0/${segment}/a`,
    `PUT /api/v0/${segment}/a/check`,
    `DELETE /api/v0/${segment}/a`,
  ]);
});
