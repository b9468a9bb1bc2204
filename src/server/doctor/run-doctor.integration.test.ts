import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PRIVATE_KEY } from '../../../test/harness/credentials.ts';
import type { Settings } from '../../../test/harness/doctor-fixtures.ts';
import { clockAt, KEY, runDoctorChecks } from '../../../test/harness/doctor-fixtures.ts';
import type { TestService } from '../../../test/harness/service.ts';
import { startTestService } from '../../../test/harness/service.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import { DAY_MS } from '../../lib/time/clock.ts';
import { storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { backupDatabase } from '../../store/sqlite/store-files.ts';
import { DOCTOR_CHECKS } from './run-doctor.ts';

const VALID_KEY = Buffer.alloc(32, 6).toString('base64');

const base = mkdtempSync(path.join(tmpdir(), 'hostler-doctor-'));
/** A valid data directory with a log, hosts and the key, which no server uses. */
const validFolder = path.join(base, 'valid');
let service: TestService;

const listeners: net.Server[] = [];
/** Returns the port. */
async function listenAt(host: string, port: number): Promise<number> {
  const listener = net.createServer(socket => socket.destroy());
  listeners.push(listener);
  await once(listener.listen(port, host), 'listening');
  return (listener.address() as net.AddressInfo).port;
}

beforeAll(async () => {
  service = await startTestService('sqlite', { HOSTLER_SECRET_KEY: VALID_KEY });
  const sshPort = await listenAt('127.7.0.1', 0);
  await listenAt('127.7.0.2', sshPort);
  for (const address of ['127.7.0.1', '127.7.0.2'])
    await service.put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY, ssh_port: sshPort });
  await service.get('/api/v0/audit');
  mkdirSync(validFolder, { mode: 0o700 });
  await backupDatabase(storeFilePath(service.database.folder), storeFilePath(validFolder), () => {});
  writeFileSync(path.join(validFolder, 'secret.key'), VALID_KEY, { mode: 0o600 });
});
afterAll(async () => {
  await service.stop();
  for (const listener of listeners) listener.close();
  rmSync(base, { recursive: true, force: true });
});

let copies = 0;
/** A copy that a test can damage. */
function copyValidFolder(): string {
  copies += 1;
  const folder = path.join(base, `copy-${copies}`);
  mkdirSync(folder, { mode: 0o700 });
  cpSync(validFolder, folder, { recursive: true });
  return folder;
}

/** The checks with at least one finding. */
const checkNames = (lines: readonly string[]) => [...new Set(lines.map(line => /^\w+ ([^:]+):/.exec(line)?.[1]))];

function alter(folder: string, statements: string): Settings {
  const database = new Database(storeFilePath(folder));
  database.exec(statements);
  database.close();
  return { HOSTLER_DATA: folder };
}

describe('doctor on a valid installation', () => {
  test('reports ok for each check and changes nothing', async () => {
    const folder = copyValidFolder();
    const before = readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'hex')]);
    const lines = await runDoctorChecks({ HOSTLER_DATA: folder });
    expect(
      lines.filter(line => !line.startsWith('ok ') && !/clock: the system clock is not synchronized/.test(line)),
    ).toEqual([]);
    expect(checkNames(lines)).toEqual(DOCTOR_CHECKS.map(({ name }) => name));
    expect(lines.join('\n')).toMatch(/store: .* is intact, schema \d{4}-/);
    expect(lines.join('\n')).toMatch(/hosts: 2 hosts: 2 investigating/);
    expect(readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'hex')])).toEqual(before);
  });

  test('reports no errors beside the running server, and finds it at its address', async () => {
    const lines = await runDoctorChecks({
      HOSTLER_DATA: service.database.folder,
      HOSTLER_SECRET_KEY: VALID_KEY,
      HOSTLER_LISTEN: new URL(service.url).host,
    });
    expect(lines.filter(line => line.startsWith('error'))).toEqual([]);
    expect(lines.join('\n')).toMatch(/ok address: Hostler is running at 127\.0\.0\.1:\d+ and is ready/);
  });

  test('reports no errors before the first start', async () => {
    const lines = await runDoctorChecks({ HOSTLER_DATA: path.join(base, 'none') });
    expect(
      lines.filter(line => !line.startsWith('ok ') && !/clock: the system clock is not synchronized/.test(line)),
    ).toEqual([]);
    expect(readdirSync(base)).not.toContain('none');
  });
});

/** Name, damage, expected finding, and the clock. */
const PROBLEMS: [string, (folder: string) => Settings, RegExp, TimerClock?][] = [
  [
    'an invalid value',
    () => ({ HOSTLER_LEASE_S: 'x' }),
    /^error configuration: HOSTLER_LEASE_S: must be a whole number/,
  ],
  ['a misspelled variable', () => ({ HOSTLER_LISTN: 'x' }), /^warning configuration: HOSTLER_LISTN: unknown setting/],
  [
    'a data directory that other users can access',
    folder => {
      chmodSync(folder, 0o755);
      return {};
    },
    /^warning data directory: .* accessible to other users; run: chmod go= /,
  ],
  [
    'a data directory that is a file',
    folder => ({ HOSTLER_DATA: storeFilePath(folder) }),
    /^error data directory: .* is not a directory/,
  ],
  [
    'a data directory that cannot be created',
    folder => ({ HOSTLER_DATA: path.join(storeFilePath(folder), 'x') }),
    /^error data directory: .* cannot be created in .*hostler.sqlite \(ENOTDIR\)/,
  ],
  [
    'a file that is not a store',
    folder => {
      writeFileSync(storeFilePath(folder), 'no database'.repeat(1000));
      return {};
    },
    /^error store: .*hostler\.sqlite is corrupt or not a Hostler store \(file is not a database\); restore/,
  ],
  [
    'a store with a corrupt page',
    folder => {
      const file = storeFilePath(folder);
      const bytes = readFileSync(file);
      bytes.fill(0xff, bytes.length - 4096);
      writeFileSync(file, bytes);
      return {};
    },
    /^error store: .* corrupt .*hostler restore/,
  ],
  [
    'a store of a newer version',
    folder => alter(folder, "insert into kysely_migration values ('9999-later', '2099')"),
    /^error store: the store schema is newer than/,
  ],
  [
    'a store of a development version',
    folder => alter(folder, "update kysely_migration set name = '0001-records'"),
    /^error store: the store was created by a development version .*; move hostler\.sqlite out of the data directory/,
  ],
  [
    'a store of an older version',
    folder => alter(folder, 'delete from kysely_migration'),
    /^warning store: the store is empty or has an older schema; the next start/,
  ],
  [
    'a missing key',
    folder => {
      rmSync(path.join(folder, 'secret.key'));
      return {};
    },
    /^error secret key: .*is missing.*restore the file/,
  ],
  [
    'a wrong key',
    folder => {
      writeFileSync(path.join(folder, 'secret.key'), KEY, { mode: 0o600 });
      return {};
    },
    /^error secret key: the secret key does not match this store/,
  ],
  [
    'a key that other users can read',
    folder => {
      chmodSync(path.join(folder, 'secret.key'), 0o644);
      return {};
    },
    /^warning secret key: .* accessible to other users; run: chmod go= .*secret\.key/,
  ],
  [
    'a clock in another century',
    () => ({}),
    /^error clock: the system clock shows 1999-.*correct the clock/,
    clockAt(Date.UTC(1999, 0)),
  ],
  [
    'a clock behind the audit log',
    () => ({}),
    /^error clock: the system clock is behind/,
    clockAt(Date.now() - DAY_MS),
  ],
  [
    'plain HTTP',
    () => ({ HOSTLER_ALLOW_PLAIN_HTTP: 'true' }),
    /^warning certificate: .*passwords are sent in clear text/,
  ],
  [
    'a changed entry of the audit log',
    folder =>
      alter(folder, "drop trigger log_no_update; update log set subject = 'else' where id = (select max(id) from log)"),
    /^error audit log: the hash chain is broken: entry \d+/,
  ],
  [
    'unreachable hosts',
    folder => alter(folder, "update hosts set status = 'unreachable'"),
    /^warning hosts: 2 hosts: 2 unreachable; most hosts are unreachable/,
  ],
  [
    'a failed host',
    folder => alter(folder, "update hosts set status = 'failed' where address = '127.7.0.1'"),
    /^warning hosts: .*1 failed; list them with: hostler host list --status failed/,
  ],
  [
    'hosts that do not accept connections',
    folder => alter(folder, 'update host_access set ssh_port = 1'),
    /^error reachability: checked 2 hosts: none accepts connections .*127\.7\.0\.1 port 1: ECONNREFUSED/,
  ],
  [
    'one host that does not accept connections',
    folder => alter(folder, "update host_access set ssh_port = 1 where host = '127.7.0.2'"),
    /^warning reachability: checked 2 hosts: 1 does not accept connections .*127\.7\.0\.2 port 1/,
  ],
  [
    'a missing ssh program',
    () => ({ HOSTLER_TRANSPORT: 'openssh', PATH: '/nowhere' }),
    /^error OpenSSH: ssh is not installed/,
  ],
  [
    'a missing ssh_config file',
    () => ({ HOSTLER_OPENSSH_CONFIG: '/nowhere/x' }),
    /^error OpenSSH: .*cannot read .* \(ENOENT\)/,
  ],
  [
    'an address of another machine',
    () => ({ HOSTLER_LISTEN: '[::2]:8000', HOSTLER_ALLOW_PLAIN_HTTP: 'true' }),
    /^error address: .*does not have this address/,
  ],
];

test('doctor reports an unusable data directory once', async () => {
  const lines = await runDoctorChecks({ HOSTLER_DATA: storeFilePath(copyValidFolder()) });
  expect(lines.filter(line => line.includes(' data directory: '))).toEqual([
    expect.stringMatching(/^error .* is not a directory/),
  ]);
  expect(lines).toContain('warning store: skipped: the data directory is not usable');
});

describe('doctor', () => {
  test.each<[string, (folder: string) => Settings, RegExp, TimerClock?]>(PROBLEMS)(
    'reports %s with a fix and runs the other checks',
    async (_name, damage, expected, clock) => {
      const folder = copyValidFolder();
      const settings = { HOSTLER_DATA: folder, ...damage(folder) };
      const lines = await runDoctorChecks(settings, clock && { clock });
      expect(
        lines.filter(line => expected.test(line)),
        lines.join('\n'),
      ).toHaveLength(1);
      expect(checkNames(lines)).toEqual(DOCTOR_CHECKS.map(({ name }) => name));
      expect(lines.join('\n')).not.toContain('the check failed');
      expect(lines.join('\n')).not.toContain(KEY);
    },
  );

  test('reports connections that fail without an error code', async () => {
    const connect = vi.spyOn(net, 'connect').mockImplementation(() => {
      const socket = new net.Socket();
      return socket.destroy(new Error('connection closed'));
    });
    onTestFinished(() => connect.mockRestore());
    const expectedLine = expect.stringMatching(
      /^error reachability: checked 2 hosts: none .*127\.7\.0\.1 port \d+: connection closed\)/,
    );
    expect(await runDoctorChecks({ HOSTLER_DATA: copyValidFolder() })).toContainEqual(expectedLine);
  });

  test('reports a configuration file that cannot be parsed', async () => {
    const file = path.join(base, 'hostler.yaml');
    writeFileSync(file, 'data: [');
    const lines = await runDoctorChecks({}, { file });
    expect(lines[0]).toMatch(/^error configuration: .*invalid YAML/);
    expect(lines).toContain('warning store: skipped: no valid value for store, data, limit_store_connections');
  });
});
