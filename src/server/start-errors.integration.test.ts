import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FAST_HASHER } from '../../test/harness/credentials.ts';
import { listen } from '../../test/harness/http/sockets.ts';
import { StoreUnavailableError } from '../domain/errors.ts';
import { OperatorError, PermanentError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { storeFilePath } from '../store/sqlite/open-sqlite.ts';
import { lockFilePath } from '../store/sqlite/store-files.ts';
import { loadConfig } from './configuration/config.ts';
import { startService } from './start-service.ts';
import { toListenError } from './wiring/listen.ts';
import { explainStoreError } from './wiring/open-store.ts';

type Settings = Readonly<Record<string, string>>;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const log = createLog('silent', false);

/** Returns the error of a failed start. */
async function startAndCatch(settings: Settings): Promise<unknown> {
  const environment = { HOSTLER_LISTEN: '127.0.0.1:0', HOSTLER_DATA: folder, ...settings };
  try {
    const service = await startService(loadConfig({ environment, flags: {} }), log, FAST_HASHER);
    await service.stop();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Name, setup, and the expected message. */
const INVALID_SETUPS: [string, () => Settings, RegExp][] = [
  [
    'a data directory that is a file',
    () => {
      const file = path.join(folder, 'file');
      writeFileSync(file, '');
      return { HOSTLER_DATA: file };
    },
    /^\/.*\/file is not a directory; change the setting data$/,
  ],
  [
    'a data directory below a file',
    () => {
      const file = path.join(folder, 'file');
      writeFileSync(file, '');
      return { HOSTLER_DATA: path.join(file, 'data') };
    },
    /^\/.*\/file\/data does not exist and cannot be created in \/.*\/file \(ENOTDIR\); create it for the service user/,
  ],
  [
    'a data directory that cannot be created',
    () => ({ HOSTLER_DATA: '/proc/no/where' }),
    /(^cannot create the data directory \/proc\/no\/where: .*; change |^\/proc\/no\/where .*cannot be created.*; create )/,
  ],
  [
    'a file that is not a store',
    () => {
      writeFileSync(storeFilePath(folder), 'no database'.repeat(1000));
      return {};
    },
    /^\/.*\/hostler\.sqlite is corrupt or not a Hostler store \(file is not a database\); restore a backup/,
  ],
  [
    'a store that is a directory',
    () => {
      mkdirSync(storeFilePath(folder));
      return {};
    },
    /^\/.*\/hostler\.sqlite is not a regular file; move it away$/,
  ],
  [
    'a store of a newer version',
    () => {
      const store = new Database(storeFilePath(folder));
      store.exec('create table kysely_migration (name text, timestamp text)');
      store.exec("insert into kysely_migration values ('0001-schema', ''), ('9999-from-the-future', '')");
      store.close();
      return {};
    },
    /^the store schema is newer than this version of Hostler supports \(it has the migration 9999-from-the-future\); start/,
  ],
  [
    'a store of a development version',
    () => {
      const store = new Database(storeFilePath(folder));
      store.exec('create table kysely_migration (name text, timestamp text)');
      store.exec("insert into kysely_migration values ('0001-records', ''), ('0002-lists', '')");
      store.close();
      return {};
    },
    /^the store was created by a development version of Hostler \(it has the migration 0001-records\) and cannot be migrated; move/,
  ],
  [
    'a corrupt lock file',
    () => {
      writeFileSync(lockFilePath(folder), 'no database'.repeat(1000));
      return {};
    },
    /^\/.*\/lock\.sqlite is corrupt or not a Hostler store .*, or move the file away$/,
  ],
  [
    'a missing secret key file',
    () => ({ HOSTLER_SECRET_KEY_FILE: path.join(folder, 'none') }),
    /^the secret key file \/.*\/none does not exist; create a key with/,
  ],
  [
    'a missing certificate',
    () => ({ HOSTLER_TLS_CERT: '/nowhere', HOSTLER_TLS_KEY: '/nowhere' }),
    /^tls_cert: cannot read the file: .*\/nowhere/,
  ],
  [
    'an invalid certificate',
    () => ({ HOSTLER_TLS_CERT: 'package.json', HOSTLER_TLS_KEY: 'package.json' }),
    /^tls_cert, tls_key: not a valid certificate and private key/,
  ],
  [
    'an address of another machine',
    () => ({ HOSTLER_LISTEN: '[::2]:8000', HOSTLER_ALLOW_PLAIN_HTTP: 'true' }),
    /^\[::2\]:8000: this machine does not have this address; change --listen$/,
  ],
];

describe('startService()', () => {
  test.each(INVALID_SETUPS)('throws a PermanentError with a fix for %s', async (_name, prepare, message) => {
    const failure = await startAndCatch(prepare());
    expect(failure).toBeInstanceOf(PermanentError);
    expect(failure).toMatchObject({ message: expect.stringMatching(message) });
  });
});

test('startService() throws a transient error for an address that another program uses', async () => {
  const other = createServer();
  const port = await listen(other);
  const failure = await startAndCatch({ HOSTLER_LISTEN: `127.0.0.1:${port}` });
  other.close();
  expect(failure).toEqual(
    new OperatorError(`127.0.0.1:${port}: the address is already in use; stop the other program, or change --listen`),
  );
  expect(failure).not.toBeInstanceOf(PermanentError);
  // The failed start has closed everything, so the next start succeeds.
  expect(readdirSync(folder)).toContain('hostler.sqlite');
  expect(await startAndCatch({})).toBeUndefined();
});

test.each([
  ['EACCES', true, /permission denied; use a port above 1023 \(--listen\)/],
  ['EADDRNOTAVAIL', true, /does not have this address/],
  ['EAFNOSUPPORT', true, /does not support addresses of this family/],
  ['ENOTFOUND', true, /the name does not exist/],
  ['EAI_AGAIN', false, /cannot be resolved at the moment/],
  ['EADDRINUSE', false, /already in use/],
  ['EXOTIC', false, /cannot listen \(EXOTIC\)/],
])('toListenError() explains %s; permanent: %s', (code, isPermanent, message) => {
  const failure = toListenError(Object.assign(new Error('no'), { code }), { host: '::1', port: 81 });
  expect(failure.message).toMatch(/^\[::1\]:81: /);
  expect(failure.message).toMatch(message);
  expect(failure instanceof PermanentError).toBe(isPermanent);
});

test.each([
  ['SQLITE_FULL', false, /hostler\.sqlite cannot grow \(disk error\); free space on its disk/],
  ['SQLITE_BUSY', false, /is locked by another process/],
  ['SQLITE_IOERR_READ', false, /full or defective/],
  ['SQLITE_CANTOPEN', false, /full or defective/],
  ['SQLITE_READONLY_DBMOVED', true, /is read-only/],
  ['SQLITE_CORRUPT', true, /corrupt/],
])('explainStoreError() explains %s; permanent: %s', (code, isPermanent, message) => {
  const error = new Database.SqliteError('disk error', code);
  for (const failure of [
    explainStoreError(error, folder),
    explainStoreError(new StoreUnavailableError(error), folder),
  ]) {
    expect(failure).toBeInstanceOf(OperatorError);
    expect(failure instanceof PermanentError).toBe(isPermanent);
    expect(String(failure)).toMatch(message);
  }
});

test('explainStoreError() reports an unsupported file format as corrupt', () => {
  const failure = explainStoreError(new Database.SqliteError('unsupported file format', 'SQLITE_ERROR'), folder);
  expect(failure).toBeInstanceOf(PermanentError);
  expect(String(failure)).toMatch(/is corrupt or not a Hostler store \(unsupported file format\)/);
});

test('explainStoreError() returns unknown errors unchanged', () => {
  for (const error of [new Error('odd'), new Database.SqliteError('odd', 'SQLITE_CONSTRAINT')])
    expect(explainStoreError(error, folder)).toBe(error);
});
