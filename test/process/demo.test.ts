import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { ODDITIES } from '../../src/server/demo/cast.ts';
import { runHostler } from '../harness/process.ts';
import { basic } from '../harness/service.ts';

test('the demo brings fifty pretend hosts to life, and leaves nothing behind', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-test-'));
  const demo = runHostler(['demo', '--listen', '127.0.0.1:0'], { TMPDIR: folder });
  const url = await demo.url();
  const get = async (path: string) => {
    const response = await fetch(`${url}/api/v0${path}`, { headers: { authorization: basic('admin:demo') } });
    return response.json();
  };
  const hosts = (await get('/hosts')) as { status: string }[];
  expect(hosts.length).toBe(50);
  const available = async () => {
    const clusters = await Promise.all(['web', 'compute', 'edge'].map(name => get(`/cluster/${name}`)));
    return (clusters as { hosts: { available: number } }[]).reduce(
      (sum, { hosts }) => sum + hosts.available,
      0,
    );
  };
  // Of those with something wrong, two fail and one never comes up; the others take a little longer.
  const well = hosts.length - Object.keys(ODDITIES).length;
  await vi.waitFor(async () => expect(await available()).toBeGreaterThanOrEqual(well), {
    timeout: 20_000,
    interval: 100,
  });
  expect(await get('/host/127.81.0.9/status')).toMatchObject({ host: { status: 'failed' } });
  expect(await get('/host/127.82.0.14')).toMatchObject({ status: 'failed', os: 'other' });
  expect((await demo.kill('SIGTERM')).code).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
  rmdirSync(folder);
});
