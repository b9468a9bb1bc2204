// A throw-away PostgreSQL for the whole run, with fsync on as in real life. Each test file makes databases of its own on it. They are
// in memory where there is room: each is 8 MB that a disk would get twice, and no test takes the power from PostgreSQL itself.

import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { memoryFolder } from './memory-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server's maintenance database; empty where PostgreSQL cannot be had. */
    postgresUrl: string;
  }
}

const START_DEADLINE_MS = 30_000;
/** A gigabyte is the most that is logged ahead; the rest is for the databases that are there at once. */
const ROOM_MB = 1500;

/** Where PostgreSQL's programs are. */
export function findBinaries(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map(version => path.join(base, version, 'bin'))
    .find(folder => existsSync(path.join(folder, 'initdb')));
  if (found) return found;
  const which = spawnSync('which', ['initdb'], { encoding: 'utf8' });
  return which.status === 0 ? path.dirname(which.stdout.trim()) : undefined;
}

/** PostgreSQL refuses to run as root; its own user, or nobody, does. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'));
  const [, , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Waits until the server answers on its socket. */
async function answers(binaries: string, folder: string, log: () => string): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (spawnSync(path.join(binaries, 'pg_isready'), ['-q', '-h', folder, '-U', 'hostler']).status !== 0) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${log()}`);
    await delay(50);
  }
}

/** `fast` cuts every session off, and ends in order; `immediate` is as good as a crash. */
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

export interface OwnPostgres {
  readonly url: string;
  halt(how: keyof typeof STOP_SIGNALS): Promise<void>;
  /** Starts it again, on the same data. */
  resume(): Promise<void>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

/** Makes the data directory of a PostgreSQL. */
function makeData(binaries: string, folder: string, user: ReturnType<typeof unprivilegedUser>): string {
  const data = path.join(folder, 'data');
  const made = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'hostler', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
    { cwd: folder, ...user, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed:\n${made.stderr}`);
  return data;
}

// Reached by its socket only: it takes no port, and nobody else can come in.
const SETTINGS = [
  'listen_addresses=',
  'fsync=on',
  'max_connections=300',
  'logging_collector=off',
  'deadlock_timeout=100ms',
];

/** Starts a PostgreSQL of our own; `undefined` where it is not installed. */
export async function startPostgres(parent = tmpdir()): Promise<OwnPostgres | undefined> {
  const binaries = findBinaries();
  if (binaries === undefined) return undefined;
  const user = unprivilegedUser();
  const folder = mkdtempSync(path.join(parent, 'hostler-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = makeData(binaries, folder, user);
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
  await answers(binaries, folder, () => log);
  const halt = async (how: keyof typeof STOP_SIGNALS) => {
    server.kill(STOP_SIGNALS[how]);
    await ended;
  };
  return {
    url: `postgres://hostler@localhost/postgres?host=${encodeURIComponent(folder)}`,
    halt,
    resume: async () => {
      ({ server, ended } = launch());
      await answers(binaries, folder, () => log);
    },
    stop: async () => {
      await halt('fast');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const postgres = await startPostgres(memoryFolder({ roomMb: ROOM_MB }));
  if (postgres === undefined) {
    process.stdout.write(
      'SKIPPED: tests on PostgreSQL, since it is not installed here (as root on Debian, npm test installs it)\n',
    );
  }
  project.provide('postgresUrl', postgres?.url ?? '');
  return postgres?.stop;
}
