import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeStores } from '../harness/stores/stores.ts';
import { until } from '../harness/until.ts';
import { keptVersions } from './kept-data.ts';
import { KeptService } from './kept-service.ts';

const END_MS = 60_000;

describe.each(keptVersions())('an operation that version %s had under way', version => {
  describeStores(
    kind => `on ${kind}`,
    kind => {
      let service: KeptService;
      beforeAll(async () => {
        service = await KeptService.open(version, kind);
        await service.startWithHosts();
      });
      afterAll(() => service?.remove());

      test('comes to its end on all of its hosts', { timeout: 2 * END_MS }, async () => {
        const { id, hosts } = service.kept.operation;
        const ask = async () => (await service.ask<{ status: string }>(`/api/v0/operation/${id}`)).body;
        const isOver = async () => (await ask()).status !== 'in_process';
        await until('the operation is over', isOver, END_MS);
        const counts = { total: hosts.length, done: hosts.length };
        expect(await ask()).toMatchObject({ status: 'finished', counts });
      });
    },
  );
});
