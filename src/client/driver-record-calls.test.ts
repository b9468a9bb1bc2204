import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { driverRecordCalls } from './driver-record-calls.ts';

test.each([
  ['network', 'network'],
  ['container_manager', 'containermanager'],
] as const)('each call of a %s asks for its own path', async (kind, word) => {
  const asked: string[] = [];
  const client = createClient({
    ...{ baseUrl: 'http://127.0.0.1', user: 'u', password: 'p' },
    send: async ({ pathname }, { method }) => {
      asked.push(`${method} ${pathname}`);
      return new Response('{}');
    },
  });
  const { list, get, put, remove, check } = driverRecordCalls(client)[kind];
  await list();
  await get({ name: 'a' });
  await put({ name: 'a', body: { type: 'none', options: {} } });
  await check({ name: 'a', body: {} });
  await remove({ name: 'a' });
  expect(asked).toEqual([
    `GET /api/v0/${word}s/`,
    `GET /api/v0/${word}/a`,
    `PUT /api/v0/${word}/a`,
    `PUT /api/v0/${word}/a/check`,
    `DELETE /api/v0/${word}/a`,
  ]);
});
