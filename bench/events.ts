// npm run bench:events — 1,000 readers of events at once on one server, at 50 events a second for a minute: how late events are from the
// moment they say they happened at, and whether the memory of the server stays as it is. Readers are in another process. The store is in
// memory where there is room, since a disk that others use is not what is measured.
// `npm run bench:events -- sqlite` measures one store only.

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryFolder } from '../test/harness/stores/memory-folder.ts';
import { startPostgres } from '../test/harness/stores/postgres.ts';
import { until } from '../test/harness/until.ts';
import { Program } from './program.ts';
import { cpuSeconds } from './ssh/cpu-seconds.ts';

const READERS = 1000;
const EVENTS_PER_SECOND = 50;
const SECONDS = 60;
/** Until caches and compilers are done. */
const SETTLED_AFTER_S = 10;
const AIM_P99_MS = 1000;
const AIM_GROWTH = 1.1;
const MIB = 1024 ** 2;
const ROOM_MB = 1500;

interface Told {
  readonly open: number;
  readonly arrived: number;
  readonly missed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

const folder = mkdtempSync(path.join(memoryFolder({ roomMb: ROOM_MB }), 'hostler-bench-'));
const authorization = `Basic ${Buffer.from('admin:bench').toString('base64')}`;

/** Another process with all readers, and what it tells of them. */
function startReaders(url: string) {
  const child = fork(path.join(import.meta.dirname, 'event-readers.ts'), [url, String(READERS)]);
  return {
    pid: child.pid ?? -1,
    tell: () => {
      const answer = new Promise<unknown>(resolve => child.once('message', resolve));
      child.send('how late');
      return answer as Promise<Told>;
    },
    stop: () => child.disconnect(),
  };
}

/** One network for each event. */
async function makeEvents(url: string, from: number, to: number): Promise<void> {
  const under: Promise<unknown>[] = [];
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'none', options: {} });
  const startedAt = performance.now();
  for (let made = from; made < to; made += 1) {
    const request = fetch(`${url}/api/v0/network/bench-${made}`, { method: 'PUT', headers, body });
    under.push(
      request.then(async answer => {
        if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
        return answer.arrayBuffer();
      }),
    );
    const dueAt = startedAt + ((made + 1 - from) * 1000) / EVENTS_PER_SECOND;
    await delay(Math.max(0, dueAt - performance.now()));
  }
  await Promise.all(under);
}

const inMib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;

async function measure(what: string, store: string): Promise<void> {
  const service = await Program.start(
    ['--expose-gc', 'bin/hostler.js', 'serve'],
    {
      HOSTLER_LISTEN: '127.0.0.1:0',
      HOSTLER_DATA: folder,
      HOSTLER_STORE: store,
      HOSTLER_ADMIN_PASSWORD: 'bench',
      HOSTLER_SECRET_KEY: randomBytes(32).toString('base64'),
      HOSTLER_TRANSPORT: 'none',
    },
    path.join(folder, 'log'),
  );
  const readers = startReaders(service.url);
  await until('all readers are there', async () => (await readers.tell()).open === READERS, 60_000);
  const [settled, total] = [SETTLED_AFTER_S * EVENTS_PER_SECOND, SECONDS * EVENTS_PER_SECOND];
  await makeEvents(service.url, 0, settled);
  const [before, cpuBefore, startedAt] = [
    await service.memory(),
    cpuSeconds(service.pid, 'own'),
    performance.now(),
  ];
  const readersBefore = cpuSeconds(readers.pid, 'own');
  await service.loopDelayP99Ms();
  await makeEvents(service.url, settled, total);
  const loopDelayMs = await service.loopDelayP99Ms();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (100 * (cpuSeconds(service.pid, 'own') - cpuBefore)) / seconds;
  const readersCpu = (100 * (cpuSeconds(readers.pid, 'own') - readersBefore)) / seconds;
  const expected = total * READERS;
  await until(
    'every event has arrived everywhere',
    async () => (await readers.tell()).arrived >= expected,
    10_000,
  );
  const [after, told] = [await service.memory(), await readers.tell()];
  readers.stop();
  await service.stop();

  const growth = after.heapUsed / before.heapUsed;
  const isGood = told.missed === 0 && told.open === READERS && told.p99Ms < AIM_P99_MS && growth < AIM_GROWTH;
  if (!isGood) process.exitCode = 1;
  console.log(
    `\n${what}: ${told.arrived} events arrived at ${told.open} subscribers, ${told.missed} were missed`,
  );
  console.log(
    `  delay p50 ${told.p50Ms} ms, p99 ${told.p99Ms} ms (aim ${AIM_P99_MS}), worst ${told.worstMs} ms`,
  );
  console.log(
    `  server: ${cpu.toFixed(0)} % of a core, event loop delay ${loopDelayMs.toFixed(1)} ms (p99); subscribers: ${readersCpu.toFixed(0)} %`,
  );
  console.log(
    `  memory after ${SETTLED_AFTER_S} s and at the end: heap ${inMib(before.heapUsed)}, ${inMib(after.heapUsed)} (${growth.toFixed(2)} times, aim ${AIM_GROWTH}); in all ${inMib(before.rss)}, ${inMib(after.rss)}`,
  );
}

async function measurePostgres(): Promise<void> {
  const postgres = await startPostgres(memoryFolder({ roomMb: ROOM_MB }));
  if (!postgres) {
    console.log('\nPostgreSQL is not installed');
    return;
  }
  await measure('PostgreSQL', postgres.url);
  await postgres.stop();
}

console.log(
  `${READERS} subscribers, ${EVENTS_PER_SECOND} events a second for ${SECONDS} s, Node ${process.versions.node}`,
);
const [only] = process.argv.slice(2);
try {
  if (only !== 'postgres') await measure('SQLite', 'sqlite');
  if (only !== 'sqlite') await measurePostgres();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
