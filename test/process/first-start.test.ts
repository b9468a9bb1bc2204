import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeFilePath } from '../../src/store/sqlite/open-sqlite.ts';
import { basic } from '../harness/credentials.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runHostler } from '../harness/programs/process.ts';

describe('the server process after its first start', () => {
  let folder = '';
  const settings = (overrides: Record<string, string> = {}) => ({
    HOSTLER_LISTEN: '127.0.0.1:0',
    HOSTLER_DATA: path.join(folder, 'data'),
    ...overrides,
  });
  const status = async (url: string, credentials: string) =>
    (await fetch(`${url}/api/v0/user`, { headers: { authorization: basic(credentials) } })).status;
  let firstFolder = '';
  let first: RunningProgram;
  let password = '';
  let firstStatus = 0;
  let modes: Readonly<Record<string, string>> = {};
  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
  const data = () => path.join(folder, 'data');
  const keyFile = () => path.join(data(), 'secret.key');

  beforeAll(async () => {
    firstFolder = mkdtempSync(path.join(tmpdir(), 'hostler-process-'));
    first = runHostler(['serve'], settings({ HOSTLER_DATA: path.join(firstFolder, 'data') }));
    password = await first.waitForOutput(/password +(\S+)/);
    firstStatus = await status(await first.url(), `admin:${password}`);
    const files = ['.', ...readdirSync(path.join(firstFolder, 'data'))];
    modes = Object.fromEntries(files.map(name => [name, modeOf(path.join(firstFolder, 'data', name))]));
    await first.kill('SIGTERM');
  });
  afterAll(() => rmSync(firstFolder, { recursive: true, force: true }));
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-process-'));
    // Each test starts with the data of the first start.
    cpSync(firstFolder, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('has printed a working password that is in no log', () => {
    expect(firstStatus).toBe(200);
    expect(first.stderr).not.toContain(password);
  });

  test('has created data files that only its user can access, without a warning', () => {
    const { '.': folderMode, ...fileModes } = modes;
    expect(folderMode).toBe('700');
    expect(Object.keys(fileModes)).toEqual(expect.arrayContaining(['hostler.sqlite', 'secret.key']));
    expect(Object.entries(fileModes).filter(([, mode]) => mode !== '600')).toEqual([]);
    expect(first.stderr).not.toContain('accessible to other users');
  });

  test('prints no password at a later start, and warns of a data directory or key that others can access', async () => {
    chmodSync(data(), 0o755);
    chmodSync(keyFile(), 0o640);
    const second = runHostler(['serve'], settings());
    expect(await status(await second.url(), `admin:${password}`)).toBe(200);
    await second.waitForOutput(/accessible to other users/);
    expect(second.stderr).toMatch(/"files":\["[^"]*\/data","[^"]*\/data\/secret\.key"\]/);
    await second.kill('SIGTERM');
    expect(second.stdout).not.toMatch(/password/);
  });

  test('rejects a wrong secret key at the start, and still accepts the right one', async () => {
    const right = readFileSync(keyFile(), 'utf8').trim();
    rmSync(keyFile());
    const wrong = Buffer.alloc(32, 2).toString('base64');
    const second = runHostler(['serve'], settings({ HOSTLER_SECRET_KEY: wrong }));
    expect((await second.ended).code).toBe(78);
    expect(second.stderr).toContain('the secret key does not match this store');
    const third = runHostler(['serve'], settings({ HOSTLER_SECRET_KEY: right }));
    await third.url();
    await third.kill('SIGTERM');
  });

  test('does not replace a lost secret key', async () => {
    rmSync(keyFile());
    const second = runHostler(['serve'], settings());
    expect((await second.ended).code).toBe(78);
    expect(second.stderr).toContain('restore the file');
    expect(readdirSync(data())).not.toContain('secret.key');
  });

  test('stops listening when the start fails after it listened', async () => {
    const database = new Database(storeFilePath(data()));
    // The first account cannot be inserted, because its name is not JSON.
    database.exec('delete from accounts; create index no_more_accounts on accounts (json(name))');
    database.close();
    const second = runHostler(['serve'], settings());
    expect((await second.ended).code).toBe(1);
    expect(second.stderr).toContain('malformed JSON');
  });
});
