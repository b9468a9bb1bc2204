import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/sdk/client.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { runHostler } from '../harness/programs/process.ts';
import { ServerProcess, serverSettings } from '../harness/programs/server-process.ts';
import type { StoreKind, TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describePostgres } from '../harness/stores/stores.ts';
import { LoadLoop } from '../harness/workload/load-loop.ts';

const newKey = () => randomBytes(32).toString('base64');
/** Few requests are enough: each of them can meet the rotation at another point. */
const PAUSE_MS = 20;

let database: TestDatabase;
let keyFile: string;
const onStore = (kind: StoreKind) => {
  beforeEach(async () => {
    database = await createTestDatabase(kind);
    keyFile = path.join(database.folder, 'secret.key');
  });
  afterEach(() => database.remove());
};

const settings = (file: string) =>
  serverSettings(database, database.kind === 'postgres' ? { HOSTLER_SECRET_KEY_FILE: file } : {});
const serve = (file = keyFile) => ServerProcess.start({ settings: settings(file) });
const rotate = (file = keyFile) => runHostler(['secrets', 'rotate'], settings(file));
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
    const { program, client } = await serve();
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
    await program.kill('SIGKILL');

    expect(keysIn(keyFile)).toEqual([expect.not.stringContaining(old)]);
    const [, oldKeyFile = ''] = /old key is in (\S+);/.exec(rotation.stdout) ?? [];
    expect(keysIn(oldKeyFile)).toEqual([old]);
    expect([rotation.stdout, rotation.stderr, program.stderr].join()).not.toContain(keysIn(keyFile)[0]);
    const next = await serve();
    await expectCredentials(next.client, 1, count);
    await next.program.kill('SIGTERM');
    writeFileSync(keyFile, `${old}\n`);
    const wrong = runHostler(['serve'], settings(keyFile));
    expect(await wrong.ended).toMatchObject({ code: 78 });
    expect(wrong.stderr).toContain('the secret key does not match this store');
  });
});

describePostgres('key rotation beside busy services on PostgreSQL', () => {
  onStore('postgres');

  test('needs the new key before the old one on each server, and no restart', async () => {
    const [old, newest] = [newKey(), newKey()];
    const files = ['one.key', 'two.key'].map(name => path.join(database.folder, name));
    const write = (...keys: string[]) => {
      for (const file of files) writeFileSync(file, keys.join('\n'), { mode: 0o600 });
    };
    write(old);
    const servers = await Promise.all(files.map(file => serve(file)));
    const clients = servers.map(({ client }) => client);
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
    await Promise.all(servers.map(({ program }) => program.kill('SIGTERM')));
    const next = await serve(files[1]);
    await expectCredentials(next.client, 1, counts[0] ?? 0);
    await next.program.kill('SIGTERM');
  });
});
