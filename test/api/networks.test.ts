import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { availableStores } from '../harness/stores.ts';

describe.each(availableStores)('networks on %s', kind => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(() => service.stop());

  test('the network default exists from the start', async () => {
    const { status, body } = await service.get('/api/v0/networks/');
    expect({ status, body }).toEqual({ status: 200, body: ['default'] });
    expect((await service.get('/api/v0/network/default')).body).toEqual({
      name: 'default',
      type: 'none',
      options: {},
    });
  });
});
