// A temporary PostgreSQL for the test run. Test files create their own databases. The data is in memory if
// there is space: each database has 8 MB, and no test cuts the power.

import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { FaultTarget, StoreFault } from '../faults.ts';
import { tryFindProgram } from '../programs/find-program.ts';
import type { TcpProxy } from '../tcp-proxy.ts';
import { startTcpProxy } from '../tcp-proxy.ts';
import { waitUntil } from '../wait-until.ts';
import { memoryFolder } from './memory-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the maintenance database; empty if PostgreSQL is not installed. */
    postgresUrl: string;
  }
}

const START_DEADLINE_MS = 30_000;
/** Up to 1 GB for the write-ahead log, the rest for databases. */
const REQUIRED_MB = 1500;

export function findPostgresBinaries(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map(version => path.join(base, version, 'bin'))
    .find(folder => existsSync(path.join(folder, 'initdb')));
  if (found) return found;
  const initdb = tryFindProgram('initdb');
  return initdb === undefined ? undefined : path.dirname(initdb);
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

async function waitUntilReady(binaries: string, folder: string, log: () => string): Promise<void> {
  const isReady = () =>
    spawnSync(path.join(binaries, 'pg_isready'), ['-q', '-h', folder, '-U', 'hostler']).status === 0;
  await waitUntil(() => `PostgreSQL is ready:\n${log()}`, isReady, START_DEADLINE_MS);
}

/** SIGINT ends all sessions and shuts down; SIGQUIT simulates a crash. */
const STOP_SIGNALS: Readonly<Record<StoreFault, NodeJS.Signals>> = { stop_store: 'SIGINT', kill_store: 'SIGQUIT' };

/** The data survives faults. */
export interface TestPostgres extends FaultTarget<StoreFault> {
  readonly url: string;
  /** Removes the data. */
  stop(): Promise<void>;
}

function createDataFolder(binaries: string, folder: string, user: ReturnType<typeof unprivilegedUser>): string {
  const data = path.join(folder, 'data');
  const initdb = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'hostler', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
    { cwd: folder, ...user, encoding: 'utf8' },
  );
  if (initdb.status !== 0) throw new Error(`initdb failed:\n${initdb.stderr}`);
  return data;
}

// Only a Unix socket: no port is used, and no other user can connect.
const SETTINGS = [
  'listen_addresses=',
  'fsync=on',
  'max_connections=300',
  'logging_collector=off',
  'deadlock_timeout=100ms',
];

/** `undefined` if PostgreSQL is not installed. */
export async function startPostgres(parent = tmpdir()): Promise<TestPostgres | undefined> {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) return undefined;
  const user = unprivilegedUser();
  const folder = mkdtempSync(path.join(parent, 'hostler-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = createDataFolder(binaries, folder, user);
  let log = '';
  const launch = () => {
    const server = spawn(
      path.join(binaries, 'postgres'),
      ['-D', data, '-k', folder, ...SETTINGS.flatMap(setting => ['-c', setting])],
      { cwd: folder, ...user, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server.stderr.on('data', text => {
      log += text;
    });
    const ended = new Promise<void>(resolve => server.once('exit', () => resolve()));
    return { server, ended };
  };
  let { server, ended } = launch();
  process.once('exit', () => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  await waitUntilReady(binaries, folder, () => log);
  let fault: StoreFault | undefined;
  const inject = async (injected: StoreFault) => {
    fault = injected;
    server.kill(STOP_SIGNALS[injected]);
    await ended;
  };
  return {
    url: `postgres://hostler@localhost/postgres?host=${encodeURIComponent(folder)}`,
    inject,
    revert: async reverted => {
      if (fault !== reverted) return;
      fault = undefined;
      ({ server, ended } = launch());
      await waitUntilReady(binaries, folder, () => log);
    },
    stop: async () => {
      await inject('stop_store');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a proxy to a local server. Returns it with the URL of the database through the proxy. */
export async function startPostgresProxy(databaseUrl: string): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(databaseUrl);
  const proxy = await startTcpProxy(path.join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432'));
  url.search = '';
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: url.href };
}

/** The projects of a test run share one server. Each project loads this module separately. */
const shared: typeof globalThis & { testPostgres?: Promise<TestPostgres | undefined> } = globalThis;

async function startForTests(): Promise<TestPostgres | undefined> {
  const postgres = await startPostgres(memoryFolder({ requiredMb: REQUIRED_MB }));
  if (postgres === undefined)
    process.stdout.write(
      'SKIPPED: tests on PostgreSQL: it is not installed here (as root on Debian, npm test installs it)\n',
    );
  return postgres;
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  shared.testPostgres ??= startForTests();
  const postgres = await shared.testPostgres;
  project.provide('postgresUrl', postgres?.url ?? '');
  return postgres?.stop;
}
