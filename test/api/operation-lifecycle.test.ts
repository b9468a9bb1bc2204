// Runs the real server with simulated hosts in real time.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { describeByStore } from '../harness/stores/stores.ts';

describeByStore(
  kind => `operation lifecycle on ${kind}`,
  kind => {
    const fleet = createFleet();
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(kind, {}, { transport: fleet.transport });
    });
    afterAll(() => service.stop());

    const makeCluster = (cluster: string, ...addresses: string[]) =>
      createActiveCluster(service.client, cluster, addHosts(fleet, addresses));
    const waitForBody = (path: string, expected: object) =>
      expect.poll(async () => (await service.get(path)).body, { timeout: 40_000 }).toMatchObject(expected);
    const start = async (cluster: string, kind: string, policy: object) => {
      const { headers } = await service.put(`/api/v0/cluster/${cluster}/${kind}`, {
        policy: { min_healthy_s: 0, ...policy },
      });
      return headers.get('location') ?? '';
    };

    test('finishes on a cluster without members', async () => {
      await service.put('/api/v0/cluster/empty', { network: 'default' });
      const { body } = await service.put('/api/v0/cluster/empty/restart');
      expect(body).toMatchObject({ status: 'in_process', finished_at: null });
      await waitForBody('/api/v0/cluster/empty/restart', {
        status: 'finished',
        finished_at: expect.any(String),
        restarted: [],
      });
    });

    test('restarts each host once and returns its phases', async () => {
      await makeCluster('web', '127.8.0.1', '127.8.0.2');
      const location = await start('web', 'restart', {});
      await waitForBody('/api/v0/cluster/web/restart', {
        status: 'finished',
        in_process: [],
        restarted: [
          { address: '127.8.0.1', state: 'done', error: null },
          { address: '127.8.0.2', state: 'done', error: null },
        ],
      });
      for (const address of ['127.8.0.1', '127.8.0.2']) expect(fleet.host(address as Address).boots).toHaveLength(2);
      const { body } = await service.get<{ hosts: { phases: { phase: string }[] }[] }>(location);
      expect(body).toMatchObject({ state: 'finished', can: [], counts: { total: 2, done: 2, pending: 0 } });
      expect(body.hosts[0]?.phases.map(({ phase }) => phase)).toEqual([
        ...['preflight', 'queued', 'armed', 'rebooting', 'verifying', 'done'],
      ]);
    });

    test('reports already_there for a host without updates', async () => {
      await makeCluster('there', '127.8.5.1');
      const done = { status: 'finished', upgraded: [{ address: '127.8.5.1', state: 'done' }] };
      await start('there', 'upgrade', {});
      await waitForBody('/api/v0/cluster/there/upgrade', done);
      const boots = fleet.host('127.8.5.1' as Address).boots.length;
      const location = await start('there', 'upgrade', { reboot: 'if_needed' });
      await waitForBody('/api/v0/cluster/there/upgrade', done);
      await waitForBody(location, { state: 'finished', hosts: [{ already_there: true, error: null }] });
      expect(fleet.host('127.8.5.1' as Address).boots).toHaveLength(boots);
    });

    test('prevents a host in flight from leaving until it is skipped', async () => {
      await makeCluster('held', '127.8.1.1', '127.8.1.2');
      const location = await start('held', 'restart', { check: ['not-there'] });
      await waitForBody(location, { hosts: [{ phase: 'verifying' }, {}] });
      const id = location.split('/').at(-1);
      for (const request of [
        service.delete('/api/v0/host/127.8.1.1'),
        service.delete('/api/v0/cluster/held/hosts/127.8.1.1'),
        service.put('/api/v0/cluster/held/hosts', { old: ['127.8.1.1', '127.8.1.2'], new: ['127.8.1.2'] }),
        service.put('/api/v0/host/127.8.1.1/bootstrap'),
        service.put('/api/v0/host/127.8.1.1/maintenance', { on: true }),
      ]) {
        const { status, body } = await request;
        expect([status, body]).toMatchObject([409, { code: 'host_in_operation' }]);
        expect(JSON.stringify(body)).toContain(id);
      }
      expect(await service.errorCode(service.delete('/api/v0/cluster/held'))).toBe('409 operation_running');
      expect((await service.get('/api/v0/host/127.8.1.1/status')).body).toMatchObject({
        host: {
          tasks: [{ kind: 'rollout', step: 'verify', problem: expect.stringContaining('check_failed') }],
        },
      });
      await service.put(`${location}/cancel`);
      expect((await service.put(`${location}/skip`, { hosts: ['127.8.1.1'] })).status).toBe(200);
      await waitForBody(location, { status: 'cancelled', finished_at: expect.any(String), can: [] });
      expect((await service.get(location)).body).toMatchObject({
        hosts: [{ state: 'skipped' }, { state: 'skipped', skip_reason: 'cancelled' }],
      });
      expect((await service.delete('/api/v0/host/127.8.1.1')).status).toBe(200);
      expect((await service.delete('/api/v0/cluster/held')).status).toBe(200);
    });

    test('can be paused and resumed alone and with all operations', async () => {
      await makeCluster('slow', '127.8.2.1', '127.8.2.2');
      await service.put('/api/v0/pause');
      const location = await start('slow', 'restart', {});
      await waitForBody(location, { state: 'paused', paused_by: 'manual', counts: { pending: 2 } });
      expect((await service.put(`${location}/resume`)).body).toMatchObject({
        code: 'invalid_state',
        detail: expect.stringMatching(
          /^cannot resume operation \S+: all operations are paused; resume all operations to continue$/,
        ),
      });
      for (const _ of [1, 2])
        expect((await service.put(`${location}/pause`)).body).toMatchObject({ paused_by: 'manual' });
      await service.put('/api/v0/resume');
      await waitForBody(location, {
        state: 'paused',
        can: expect.arrayContaining(['resume']),
        counts: { pending: 2 },
      });
      expect((await service.put(`${location}/resume`)).body).toMatchObject({
        state: 'running',
        paused_by: null,
      });
      await waitForBody(location, { status: 'finished', counts: { done: 2 } });
    });

    test('can be retried after it failed', async () => {
      await makeCluster('image', '127.8.3.1');
      await service.put('/api/v0/cluster/image/deploy', { version: '1' });
      await waitForBody('/api/v0/cluster/image/deploy', {
        status: 'failed',
        version: '1',
        deployed: [],
        in_process: [{ state: 'failed', error: expect.stringMatching(/^not_image_based: /) }],
      });
      const { headers } = await service.get('/api/v0/cluster/image/deploy');
      const location = headers.get('location') ?? '';
      expect((await service.get(location)).body).toMatchObject({ can: ['retry'], counts: { failed: 1 } });
      const retried = await service.put(`${location}/retry`, { hosts: ['127.8.3.1'] });
      expect([retried.status, retried.body]).toMatchObject([200, { state: 'running', finished_at: null }]);
      await waitForBody(location, { state: 'failed', hosts: [{ attempt: 2 }] });
    });
  },
);
