import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FAULTY_HOSTS, FIRST_RING } from '../../src/server/demo/demo-fleet.ts';
import { basic } from '../harness/credentials.ts';
import { runHostler } from '../harness/programs/process.ts';
import { waitUntil } from '../harness/wait-until.ts';

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
  await expect.poll(available).toBeGreaterThanOrEqual(healthy);
  expect(await get('/host/127.81.0.9/status')).toMatchObject({ host: { status: 'failed' } });
  expect(await get('/host/127.83.0.9')).toMatchObject({ status: 'failed', os: 'other' });
  // A default restart can start on compute. On web a failed host uses all slots.
  const preview = (cluster: string) => put(`/cluster/${cluster}/restart`, { policy: { dry_run: true } });
  await expect.poll(() => preview('compute')).toMatchObject({ cluster: 'compute', would_start: true, blocked_by: [] });
  await put('/cluster/compute/restart', { policy: { hosts: ['127.82.0.1', '127.82.0.2'] } });
  // The upgrade fails on the host with a full disk.
  let upgrade: Upgrade | undefined;
  const isUpgraded = async () => {
    [upgrade] = (await get('/operations?cluster=web&kind=upgrade')) as Upgrade[];
    return upgrade?.state === 'finished';
  };
  await waitUntil(() => `the upgrade is finished (it is ${upgrade?.state})`, isUpgraded, 160_000);
  const { length: total } = FIRST_RING.hosts;
  expect(upgrade?.counts).toMatchObject({ total, done: total - 1, failed: 1 });
  expect(await get('/cluster/web/upgrade')).toMatchObject({
    status: 'finished',
    in_process: [{ address: '127.81.0.12', state: 'failed', error: expect.stringContaining('free space') }],
  });
  await expect
    .poll(() => preview('web'))
    .toMatchObject({
      cluster: 'web',
      would_start: false,
      blocked_by: expect.arrayContaining([expect.objectContaining({ address: '127.81.0.9', reason: 'failed' })]),
    });
  await expect.poll(() => get('/cluster/compute/restart'), { timeout: 60_000 }).toMatchObject({ status: 'finished' });
  expect(demo.stdout).toContain('an upgrade of web starts');
  expect((await demo.kill('SIGTERM')).code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  rmdirSync(folder);
});
