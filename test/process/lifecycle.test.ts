import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { storeFilePath } from '../../src/store/sqlite/open-sqlite.ts';
import { basic } from '../harness/credentials.ts';
import { listen } from '../harness/http/sockets.ts';
import type { RunningProgram } from '../harness/programs/process.ts';
import { runCommand, runHostler } from '../harness/programs/process.ts';
import { createTestDatabase, describeByStore, openTestDatabase, runSql } from '../harness/stores/stores.ts';

describe('the server process', () => {
  let folder = '';
  const settings = (overrides: Record<string, string> = {}) => ({
    HOSTLER_LISTEN: '127.0.0.1:0',
    HOSTLER_DATA: path.join(folder, 'data'),
    ...overrides,
  });
  const status = async (url: string, credentials: string) =>
    (await fetch(`${url}/api/v0/user`, { headers: { authorization: basic(credentials) } })).status;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-process-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('runs with npm start, and SIGTERM to npm stops it gracefully', async () => {
    const npm = runCommand('npm', ['start'], settings({ HOSTLER_ADMIN_PASSWORD: 'given' }));
    const url = await npm.url();
    expect(await status(url, 'admin:given')).toBe(200);
    expect(await npm.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(npm.stderr).toContain('"msg":"stopped"');
    await expect(fetch(url)).rejects.toThrow();
  });

  test('completes running requests at SIGTERM, closes idle connections and exits with 0', async () => {
    const server = runHostler(['serve'], settings({ HOSTLER_ADMIN_PASSWORD: 'given' }));
    const { port } = new URL(await server.url());
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      path: '/api/v0/network/late',
      headers: {
        authorization: basic('admin:given'),
        'content-type': 'application/json',
        expect: '100-continue',
      },
    });
    call.flushHeaders();
    await once(call, 'continue');
    const connections = ['/readyz', '/api/v0/hosts'].map(to => {
      const socket = connect(Number(port), '127.0.0.1');
      const read = { text: '' };
      socket.on('data', data => {
        read.text += data;
      });
      return { to, socket, read, closed: once(socket, 'close') };
    });
    for (const { to, socket, read } of connections) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await expect.poll(() => read.text).toContain('keep-alive');
      read.text = '';
      socket.write(`GET ${to} HTTP/1.1\r\nHost: x\r\n`);
    }
    // This request is sent last. When it is answered, the server has started to read the others.
    await fetch(`http://127.0.0.1:${port}/healthz`);
    server.child.kill('SIGTERM');
    await server.waitForOutput(/"msg":"stopping"/);
    for (const { socket } of connections) socket.write('\r\n');
    for (const { read, closed } of connections) {
      await closed;
      expect(read.text).toMatch(/^HTTP\/1\.1 \d+ [\s\S]*\r\nconnection: close\r\n/i);
    }
    call.end('{"type":"none","options":{}}');
    const [response] = await once(call, 'response');
    expect(response.statusCode).toBe(201);
    expect(response.headers.connection).toBe('close');
    response.resume();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  test('exits with 0 within ten seconds after SIGTERM when a request does not arrive', async () => {
    const server = runHostler(['serve'], settings({ HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '60' }));
    const { port } = new URL(await server.url());
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('PUT /api/v0/network/n HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n');
    await once(socket, 'ready');
    const startMs = performance.now();
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  test.each([
    ['once', 'async () => {}', 1, 0],
    ['twice', '() => new Promise(() => {})', 2, 1],
  ])(
    'exits at SIGTERM while a thread waits for a file that does not respond, sent %s',
    async (_case, stop, signals, code) => {
      const pipe = path.join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const script = `
      import { readFile } from 'node:fs/promises';
      import { createLog } from './src/lib/log.ts';
      import { stopOnSignals } from './src/server/serve.ts';
      const log = createLog('info', false);
      void readFile(process.env.PIPE);
      stopOnSignals(${stop}, log);
      log.info('started');
    `;
      const program = runCommand(process.execPath, ['--input-type=module', '--eval', script], { PIPE: pipe });
      await program.waitForOutput(/"msg":"started"/);
      program.child.kill('SIGTERM');
      await program.waitForOutput(/"msg":"stopping"/);
      if (signals > 1) program.child.kill('SIGTERM');
      expect(await program.ended).toEqual({ code, signal: null });
      expect(program.stderr.includes('"msg":"stopped"')).toBe(code === 0);
      expect(program.stderr).not.toContain('Warning');
    },
  );

  test('rejects a data directory in use, and accepts it after kill -9 of the owner', async () => {
    const owner = runHostler(['serve'], settings());
    await owner.url();
    const other = runHostler(['serve'], settings());
    expect((await other.ended).code).toBe(1);
    expect(other.stderr).toContain('is in use by another Hostler');
    await owner.kill('SIGKILL');
    const successor = runHostler(['serve'], settings());
    await successor.url();
    expect((await successor.kill('SIGTERM')).code).toBe(0);
  });

  test('reports an address in use and creates no account with an unseen password', async () => {
    const owner = createServer();
    const port = await listen(owner);
    const other = runHostler(['serve'], settings({ HOSTLER_LISTEN: `127.0.0.1:${port}` }));
    expect((await other.ended).code).toBe(1);
    expect(other.stderr).toContain('the address is already in use');
    owner.close();
    const again = runHostler(['serve'], settings());
    await again.waitForOutput(/password +(\S+)/);
    await again.kill('SIGTERM');
  });

  test('reports a store of a newer version in one line and does not change it', async () => {
    const place = await createTestDatabase('sqlite');
    await (await openTestDatabase(place)).close();
    await runSql(place, "insert into kysely_migration values ('9999-from-the-future', '2999')");
    const server = runHostler(['serve'], settings({ HOSTLER_DATA: place.folder }));
    expect((await server.ended).code).toBe(78);
    expect(server.stderr).toBe(
      'hostler: the store schema is newer than this version of Hostler supports (it has the migration 9999-from-the-future); start the version that migrated the store, or a later one\n',
    );
    await place.remove();
  });

  describeByStore(
    kind => `a store of a development version, on ${kind}`,
    kind => {
      test('ends the start with one line and the exit code for a wrong configuration', async () => {
        const place = await createTestDatabase(kind);
        onTestFinished(() => place.remove());
        await runSql(
          place,
          "create table kysely_migration (name varchar(255) primary key, timestamp text); insert into kysely_migration values ('0001-records', '2026')",
        );
        const server = runHostler(
          ['serve'],
          settings({
            HOSTLER_DATA: place.folder,
            HOSTLER_STORE: place.location,
            HOSTLER_SECRET_KEY: Buffer.alloc(32).toString('base64'),
          }),
        );
        expect((await server.ended).code).toBe(78);
        const advice =
          kind === 'postgres'
            ? 'create an empty database and name it in the setting store'
            : 'move hostler.sqlite out of the data directory, or use another directory (setting data)';
        expect(server.stderr).toBe(
          `hostler: the store was created by a development version of Hostler (it has the migration 0001-records) and cannot be migrated; ${advice}\n`,
        );
      });
    },
  );

  test('reports all configuration errors at once, with the exit code for a wrong configuration', async () => {
    const server = runHostler(
      ['serve', '--listen', 'nowhere'],
      settings({ HOSTLER_LOG_LEVEL: 'loud', HOSTLER_STORE: 'mysql://x' }),
    );
    expect((await server.ended).code).toBe(78);
    for (const place of ['--listen', 'HOSTLER_LOG_LEVEL', 'HOSTLER_STORE'])
      expect(server.stderr).toContain(`${place}: must be`);
  });

  test('lists every command and setting in its help, and suggests the help after a wrong command', async () => {
    const help = runHostler(['serve', '--help'], {});
    expect((await help.ended).code).toBe(0);
    for (const text of ['--listen', 'HOSTLER_TRUST_PROXY', '--config', 'HOSTLER_SECRET_KEY'])
      expect(help.stdout).toContain(text);
    expect(help.stdout).not.toContain('--secret-key ');
    const wrong = runHostler(['swerve'], {});
    expect((await wrong.ended).code).toBe(2);
    expect(wrong.stderr).toMatch(
      /^hostler: unknown command 'swerve'\n\(Did you mean serve\?\)\n.*Run with --help for usage/s,
    );
    const wrongSetting = runHostler(['serve', '--lissen', '127.0.0.1:0'], {});
    expect((await wrongSetting.ended).code).toBe(2);
    expect(wrongSetting.stderr).toContain("unknown option '--lissen'");
    const version = runHostler(['--version'], {});
    await version.ended;
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  describe('after its first start', () => {
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
    // Each test starts with the data of the first start.
    beforeEach(() => cpSync(firstFolder, folder, { recursive: true }));

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
});
