import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { FAULTY_HOSTS, FIRST_RING } from '../../src/server/demo/demo-fleet.ts';
import { runHostler } from '../harness/programs/process.ts';
import { basic } from '../harness/service.ts';

interface Upgrade {
  readonly state: string;
  readonly counts: { readonly total: number; readonly done: number; readonly failed: number };
}

const TITLE = 'the demo runs 50 simulated hosts, upgrades some of them, and removes its data';

test(TITLE, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-test-'));
  const demo = runHostler(['demo', '--listen', '127.0.0.1:0'], { TMPDIR: folder });
  const url = await demo.url();
  const get = async (path: string) => {
    const response = await fetch(`${url}/api/v0${path}`, { headers: { authorization: basic('admin:demo') } });
    return response.json();
  };
  const put = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v0${path}`, {
      method: 'PUT',
      headers: { authorization: basic('admin:demo'), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  const hosts = (await get('/hosts')) as { status: string }[];
  expect(hosts.length).toBe(50);
  const available = async () => {
    const clusters = await Promise.all(['web', 'compute', 'edge'].map(name => get(`/cluster/${name}`)));
    return (clusters as { hosts: { available: number } }[]).reduce((sum, { hosts }) => sum + hosts.available, 0);
  };
  // Of the faulty hosts, two fail and one never becomes reachable. The others take longer.
  const healthy = hosts.length - Object.keys(FAULTY_HOSTS).length;
  await vi.waitFor(async () => expect(await available()).toBeGreaterThanOrEqual(healthy), {
    timeout: 20_000,
    interval: 100,
  });
  expect(await get('/host/127.81.0.9/status')).toMatchObject({ host: { status: 'failed' } });
  expect(await get('/host/127.83.0.9')).toMatchObject({ status: 'failed', os: 'other' });
  // A default restart can start on compute. On web a failed host uses all slots.
  const preview = (cluster: string) =>
    vi.waitFor(
      async () => {
        const plan = await put(`/cluster/${cluster}/restart`, { policy: { dry_run: true } });
        expect([plan['cluster'], plan['would_start'], plan['blocked_by']]).toEqual(
          cluster === 'compute'
            ? ['compute', true, []]
            : [
                'web',
                false,
                expect.arrayContaining([expect.objectContaining({ address: '127.81.0.9', reason: 'failed' })]),
              ],
        );
      },
      { timeout: 20_000, interval: 250 },
    );
  await preview('compute');
  await put('/cluster/compute/restart', { policy: { hosts: ['127.82.0.1', '127.82.0.2'] } });
  // The upgrade fails on the host with a full disk.
  const upgraded = await vi.waitFor(
    async () => {
      const [upgrade] = (await get('/operations?cluster=web&kind=upgrade')) as Upgrade[];
      if (upgrade?.state !== 'finished') throw new Error(`the upgrade is ${upgrade?.state ?? 'not started'}`);
      return upgrade;
    },
    { timeout: 160_000, interval: 250 },
  );
  const { length: total } = FIRST_RING.hosts;
  expect(upgraded.counts).toMatchObject({ total, done: total - 1, failed: 1 });
  expect(await get('/cluster/web/upgrade')).toMatchObject({
    status: 'finished',
    in_process: [{ address: '127.81.0.12', state: 'failed', error: expect.stringContaining('free space') }],
  });
  await preview('web');
  await vi.waitFor(async () => expect(await get('/cluster/compute/restart')).toMatchObject({ status: 'finished' }), {
    timeout: 60_000,
    interval: 250,
  });
  expect(demo.stdout).toContain('an upgrade of web starts');
  expect((await demo.kill('SIGTERM')).code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  rmdirSync(folder);
});
