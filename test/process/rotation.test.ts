import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/sdk/client.ts';
import { createClient } from '../../src/sdk/client.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';
import type { StoreKind, TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describePostgres } from '../harness/stores/stores.ts';
import { LoadLoop } from '../harness/workload/load-loop.ts';

const newKey = () => randomBytes(32).toString('base64');
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

const hostAddress = (network: number, index: number) => `127.${network}.${Math.floor(index / 250)}.${index % 250}`;

/** Enrols a host in each round and reads its credentials. */
const enrolmentLoop = (client: Client, network: number) =>
  new LoadLoop('enrolment', PAUSE_MS, async number => {
    const address = hostAddress(network, number);
    await client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY } });
    expect((await client.getHostCreds({ address })).body.ssh_priv_key).toBe(PRIVATE_KEY);
    return [];
  });

const expectCredentials = async (client: Client, network: number, count: number) => {
  for (let index = 0; index < count; index += 1) {
    const address = hostAddress(network, index);
    expect((await client.getHostCreds({ address })).body.ssh_priv_key).toBe(PRIVATE_KEY);
  }
};

describe('key rotation beside a busy service on SQLite', () => {
  onStore('sqlite');

  test('needs one command, fails no request and replaces the old key', async () => {
    const service = serve();
    const client = await clientOf(service);
    const [old = ''] = keysIn(keyFile);
    const enrolment = enrolmentLoop(client, 1);
    enrolment.start();
    onTestFinished(() => enrolment.stop());
    const rotation = rotate();
    expect(await rotation.ended).toMatchObject({ code: 0 });
    expect(rotation.stdout).toMatch(/Done: \d+ records? re-encrypted/);
    await client.putHost({ address: '127.2.0.1', body: { ssh_priv_key: PRIVATE_KEY } });
    await enrolment.stop();
    expect(enrolment.errors).toEqual([]);
    const count = enrolment.completed;
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
    const enrolments = clients.map((client, index) => enrolmentLoop(client, index + 1));
    for (const enrolment of enrolments) {
      enrolment.start();
      onTestFinished(() => enrolment.stop());
    }
    const rotation = rotate(files[0]);
    expect(await rotation.ended).toMatchObject({ code: 0 });
    expect(rotation.stdout).toContain('Keep the first secret key');
    await Promise.all(enrolments.map(enrolment => enrolment.stop()));
    expect(enrolments.flatMap(({ errors }) => errors)).toEqual([]);
    const counts = enrolments.map(({ completed }) => completed);
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
