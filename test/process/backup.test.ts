// A backup of the running service during writes, restored into another folder and served from there.

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { utcTime } from '../../src/sdk/format.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { runHostler } from '../harness/programs/process.ts';
import { ServerProcess, serverSettings } from '../harness/programs/server-process.ts';
import { secretPatterns } from '../harness/secret-patterns.ts';
import { LoadLoop } from '../harness/workload/load-loop.ts';

const PAUSE_MS = 1;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-backup-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Operations start but never make progress. */
const settings = (data: string) => serverSettings({ folder: path.join(folder, data) }, { HOSTLER_TRANSPORT: 'none' });

test('a backup contains all writes confirmed before it started, and restored operations are paused', async () => {
  const [first, second, file] = ['first', 'second', path.join(folder, 'backup.sqlite')];
  const { program, client } = await ServerProcess.start({ settings: settings(first) });
  const [name, address] = ['web', '127.0.0.1'];
  await client.putCluster({ name, body: { network: 'default' } });
  await client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY, cluster: name } });
  await client.putRestart({ name, body: {} });
  const confirmed: string[] = [];
  const writes = new LoadLoop('networks', PAUSE_MS, async number => {
    await client.putNetwork({ name: `n${number}`, body: { type: 'none', options: {} } });
    confirmed.push(`n${number}`);
    return [];
  });
  writes.start();
  onTestFinished(() => writes.stop());
  await expect.poll(() => confirmed.length, { timeout: 20_000 }).toBeGreaterThan(20);
  const before = [...confirmed];
  const backup = runHostler(['backup', file], settings(first));
  expect(await backup.ended).toMatchObject({ code: 0 });
  expect(confirmed.length).toBeGreaterThan(before.length);
  await writes.stop();
  expect(writes.errors).toEqual([]);
  expect(backup.stdout).toContain('Saved 1 host and 1 cluster');
  expect(backup.stdout).toContain(path.join(folder, first, 'secret.key'));
  await program.kill('SIGTERM');
  const secretKey = Buffer.from(readFileSync(path.join(folder, first, 'secret.key'), 'utf8'), 'base64');
  expect(secretKey).toHaveLength(32);
  const saved = readFileSync(file);
  expect(secretPatterns('the secret key', secretKey).filter(({ bytes }) => saved.includes(bytes))).toEqual([]);

  mkdirSync(path.join(folder, second));
  copyFileSync(path.join(folder, first, 'secret.key'), path.join(folder, second, 'secret.key'));
  const restore = runHostler(['restore', file], settings(second));
  expect(await restore.ended, restore.stderr).toMatchObject({ code: 0 });
  expect(restore.stdout).toMatch(/restart \S+ of web is paused/);
  const { program: restored, client: after } = await ServerProcess.start({ settings: settings(second) });
  expect((await after.listNetworks()).body).toEqual(expect.arrayContaining(before));
  expect((await after.getHostCreds({ address })).body.ssh_priv_key).toBe(PRIVATE_KEY);
  expect((await after.getRestart({ name })).body.status).toBe('in_process');
  const [operation] = (await after.listOperations()).body;
  expect(operation).toMatchObject({
    state: 'paused',
    paused_by: 'manual',
    can: ['resume', 'cancel', 'skip'],
  });
  const [entry] = (await after.listAudit({ query: { type: 'service.restored' } })).body;
  const backupAt = utcTime(String(entry?.data['backup_at']));
  expect(operation?.problem).toContain(`restored: actions after the backup of ${backupAt} are unknown`);
  await restored.kill('SIGTERM');
});
