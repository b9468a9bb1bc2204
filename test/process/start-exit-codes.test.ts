// A failed start for the service manager and the journal: one line, and an exit code that says whether a
// retry is useful.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { EXIT_CODES } from '../../src/cli/program.ts';
import { storeFilePath } from '../../src/store/sqlite/open-sqlite.ts';
import { listen } from '../harness/http/sockets.ts';
import { PROGRAM, runCommand, runHostler } from '../harness/programs/process.ts';
import { createTestDatabase, describeByStore, openTestDatabase, runSql } from '../harness/stores/stores.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

/** Runs as a user who is subject to file permissions: root without its capabilities. */
function serveUnprivileged(settings: Readonly<Record<string, string>>) {
  const [command, ...args] = [
    ...(isRoot ? ['setpriv', '--bounding-set=-all'] : []),
    ...[process.execPath, PROGRAM, 'serve'],
  ];
  return runCommand(command ?? '', args, {
    HOSTLER_LISTEN: '127.0.0.1:0',
    HOSTLER_DATA: folder,
    ...settings,
  });
}

const KEY = Buffer.alloc(32).toString('base64');

test.each<[string, (folder: string) => Record<string, string>, RegExp, number]>([
  [
    'a data directory of another user',
    dataFolder => {
      chmodSync(dataFolder, 0o500);
      return {};
    },
    /^hostler: user \d+ cannot write to \/\S+ \(EACCES\); run this command as the service user, or change the owner\n$/,
    EXIT_CODES.misconfigured,
  ],
  [
    'a store of another user',
    dataFolder => {
      writeFileSync(storeFilePath(dataFolder), '', { mode: 0o400 });
      return {};
    },
    /^hostler: user \d+ cannot write to \/\S+\/hostler\.sqlite \(EACCES\); run this command as .*\n$/,
    EXIT_CODES.misconfigured,
  ],
  [
    'an unreachable PostgreSQL server',
    () => ({ HOSTLER_STORE: 'postgres://127.0.0.1:1/x', HOSTLER_SECRET_KEY: KEY }),
    /^hostler: cannot connect to the store: .+; check the setting store\n$/,
    EXIT_CODES.failed,
  ],
])('%s fails the start with one line', async (_case, prepare, line, status) => {
  const server = serveUnprivileged(prepare(folder));
  expect((await server.ended).code).toBe(status);
  expect(server.stderr).toMatch(line);
});

describe('the start of the server', () => {
  const settings = (overrides: Record<string, string> = {}) => ({
    HOSTLER_LISTEN: '127.0.0.1:0',
    HOSTLER_DATA: path.join(folder, 'data'),
    ...overrides,
  });

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
    const database = await createTestDatabase('sqlite');
    await (await openTestDatabase(database)).close();
    await runSql(database, "insert into kysely_migration values ('9999-from-the-future', '2999')");
    const server = runHostler(['serve'], settings({ HOSTLER_DATA: database.folder }));
    expect((await server.ended).code).toBe(78);
    expect(server.stderr).toBe(
      'hostler: the store schema is newer than this version of Hostler supports (it has the migration 9999-from-the-future); start the version that migrated the store, or a later one\n',
    );
    await database.remove();
  });

  describeByStore(
    kind => `a store of a development version, on ${kind}`,
    kind => {
      test('ends the start with one line and the exit code for a wrong configuration', async () => {
        const database = await createTestDatabase(kind);
        onTestFinished(() => database.remove());
        await runSql(
          database,
          "create table kysely_migration (name varchar(255) primary key, timestamp text); insert into kysely_migration values ('0001-records', '2026')",
        );
        const server = runHostler(
          ['serve'],
          settings({
            HOSTLER_DATA: database.folder,
            HOSTLER_STORE: database.location,
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
    for (const source of ['--listen', 'HOSTLER_LOG_LEVEL', 'HOSTLER_STORE'])
      expect(server.stderr).toContain(`${source}: must be`);
  });
});
