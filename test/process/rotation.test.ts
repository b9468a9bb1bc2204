import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';
import type { StoreKind, TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describePostgres } from '../harness/stores/stores.ts';

const newKey = () => randomBytes(32).toString('base64');
const MAX_CALLS = 2000;
/** Few requests are enough: each of them can meet the rotation at another point. */
const PAUSE_MS = 20;

let place: TestDatabase;
let keyFile: string;
const onStore = (kind: StoreKind) => {
  beforeEach(async () => {
    place = await createTestDatabase(kind);
    keyFile = path.join(place.folder, 'secret.key');
  });
  afterEach(() => place.remove());
};

const settings = (file: string) => ({
  HOSTLER_LISTEN: '127.0.0.1:0',
  HOSTLER_DATA: place.folder,
  HOSTLER_STORE: place.location,
  HOSTLER_ADMIN_PASSWORD: 'rotate',
  ...(place.kind === 'postgres' && { HOSTLER_SECRET_KEY_FILE: file }),
});
const serve = (file = keyFile) => runHostler(['serve'], settings(file));
const rotate = (file = keyFile) => runHostler(['secrets', 'rotate'], settings(file));
const clientOf = async (program: RunningProgram) =>
  createClient({ baseUrl: await program.url(), user: 'admin', password: 'rotate' });
const keysIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n');

/** Enrols hosts and reads their credentials until stopped. Returns the number of hosts. */
function keepBusy(client: Client, network: number) {
  let isDone = false;
  const calls = (async () => {
    let count = 0;
    while (!isDone && count < MAX_CALLS) {
      const address = `127.${network}.${Math.floor(count / 250)}.${count % 250}`;
      await client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY } });
      expect((await client.getHostCreds({ address })).body.ssh_priv_key).toBe(PRIVATE_KEY);
      count += 1;
      await delay(PAUSE_MS);
    }
    return count;
  })();
  return () => {
    isDone = true;
    return calls;
  };
}

const expectCredentials = async (client: Client, network: number, count: number) => {
  for (let index = 0; index < count; index += 1) {
    const address = `127.${network}.${Math.floor(index / 250)}.${index % 250}`;
    expect((await client.getHostCreds({ address })).body.ssh_priv_key).toBe(PRIVATE_KEY);
  }
};

describe('key rotation beside a busy service on SQLite', () => {
  onStore('sqlite');

  test('needs one command, fails no request and replaces the old key', async () => {
    const service = serve();
    const client = await clientOf(service);
    const [old = ''] = keysIn(keyFile);
    const stopBusy = keepBusy(client, 1);
    const rotation = rotate();
    expect(await rotation.ended).toMatchObject({ code: 0 });
    expect(rotation.stdout).toMatch(/Done: \d+ records? re-encrypted/);
    await client.putHost({ address: '127.2.0.1', body: { ssh_priv_key: PRIVATE_KEY } });
    const count = await stopBusy();
    expect(count).toBeGreaterThan(0);
    await expectCredentials(client, 1, count);
    await service.kill('SIGKILL');

    expect(keysIn(keyFile)).toEqual([expect.not.stringContaining(old)]);
    const [, oldKeyFile = ''] = /old key is in (\S+);/.exec(rotation.stdout) ?? [];
    expect(keysIn(oldKeyFile)).toEqual([old]);
    expect([rotation.stdout, rotation.stderr, service.stderr].join()).not.toContain(keysIn(keyFile)[0]);
    const next = serve();
    await expectCredentials(await clientOf(next), 1, count);
    await next.kill('SIGTERM');
    writeFileSync(keyFile, `${old}\n`);
    const wrong = serve();
    expect(await wrong.ended).toMatchObject({ code: 78 });
    expect(wrong.stderr).toContain('the secret key does not match this store');
  });
});

describePostgres('key rotation beside busy services on PostgreSQL', () => {
  onStore('postgres');

  test('needs the new key before the old one on each server, and no restart', async () => {
    const [old, newest] = [newKey(), newKey()];
    const files = ['one.key', 'two.key'].map(name => path.join(place.folder, name));
    const write = (...keys: string[]) => {
      for (const file of files) writeFileSync(file, keys.join('\n'), { mode: 0o600 });
    };
    write(old);
    const servers = [serve(files[0]), serve(files[1])];
    const clients = await Promise.all(servers.map(clientOf));
    const early = rotate(files[0]);
    expect(await early.ended).toMatchObject({ code: 1 });
    expect(early.stderr).toMatch(/as the first line of .*one\.key on every server/);

    write(newest, old);
    const busy = clients.map((client, index) => keepBusy(client, index + 1));
    const rotation = rotate(files[0]);
    expect(await rotation.ended).toMatchObject({ code: 0 });
    expect(rotation.stdout).toContain('Keep the first secret key');
    const counts = await Promise.all(busy.map(stop => stop()));
    write(newest);
    // Each server reads records that the other server encrypted.
    for (const [index, client] of clients.entries()) {
      await expectCredentials(client, 2 - index, counts[1 - index] ?? 0);
    }
    await Promise.all(servers.map(server => server.kill('SIGTERM')));
    const next = serve(files[1]);
    await expectCredentials(await clientOf(next), 1, counts[0] ?? 0);
    await next.kill('SIGTERM');
  });
});
