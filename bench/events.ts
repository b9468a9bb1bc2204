// npm run bench:events — 1,000 event subscribers on one server at 50 events per second for a minute. Measures
// the delay from the time of each event and the memory growth of the server. The subscribers run in another
// process. The store is in memory if possible, because the disk is not measured.
//
//     npm run bench:events -- sqlite   one store only (or postgres)

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryFolder } from '../test/harness/stores/memory-folder.ts';
import { startPostgres } from '../test/harness/stores/postgres.ts';
import { waitUntil } from '../test/harness/wait-until.ts';
import { readCpuSeconds } from './measure.ts';
import { ServerProcess } from './server-process.ts';

const SUBSCRIBERS = 1000;
const EVENTS_PER_SECOND = 50;
const SECONDS = 60;
/** Until caches are filled and code is compiled. */
const WARM_UP_S = 10;
const TARGET_P99_MS = 1000;
const MAX_GROWTH = 1.1;
const MIB = 1024 ** 2;
const REQUIRED_MB = 1500;

interface SubscriberReport {
  readonly open: number;
  readonly arrived: number;
  readonly missed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

const folder = mkdtempSync(path.join(memoryFolder({ roomMb: REQUIRED_MB }), 'hostler-bench-'));
const authorization = `Basic ${Buffer.from('admin:bench').toString('base64')}`;

/** Starts the process with all subscribers. */
function startSubscribers(url: string) {
  const child = fork(path.join(import.meta.dirname, 'event-subscribers.ts'), [url, String(SUBSCRIBERS)]);
  return {
    pid: child.pid ?? -1,
    report: () => {
      const message = new Promise<unknown>(resolve => child.once('message', resolve));
      child.send('report');
      return message as Promise<SubscriberReport>;
    },
    stop: () => child.disconnect(),
  };
}

/** Creates one network per event. */
async function createEvents(url: string, from: number, to: number): Promise<void> {
  const pending: Promise<unknown>[] = [];
  const headers = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'none', options: {} });
  const startedAt = performance.now();
  for (let index = from; index < to; index += 1) {
    const request = fetch(`${url}/api/v0/network/bench-${index}`, { method: 'PUT', headers, body });
    pending.push(
      request.then(async response => {
        if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
        return response.arrayBuffer();
      }),
    );
    const dueAt = startedAt + ((index + 1 - from) * 1000) / EVENTS_PER_SECOND;
    await delay(Math.max(0, dueAt - performance.now()));
  }
  await Promise.all(pending);
}

const formatMib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;

async function measure(title: string, store: string): Promise<void> {
  const service = await ServerProcess.start(
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
  const subscribers = startSubscribers(service.url);
  await waitUntil(
    'all subscribers are connected',
    async () => (await subscribers.report()).open === SUBSCRIBERS,
    60_000,
  );
  const [warmUpEvents, total] = [WARM_UP_S * EVENTS_PER_SECOND, SECONDS * EVENTS_PER_SECOND];
  await createEvents(service.url, 0, warmUpEvents);
  const [before, cpuBefore, startedAt] = [
    await service.memory(),
    readCpuSeconds(service.pid, 'own'),
    performance.now(),
  ];
  const subscribersCpuBefore = readCpuSeconds(subscribers.pid, 'own');
  await service.loopDelayP99Ms();
  await createEvents(service.url, warmUpEvents, total);
  const loopDelayMs = await service.loopDelayP99Ms();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = (100 * (readCpuSeconds(service.pid, 'own') - cpuBefore)) / seconds;
  const subscribersCpu = (100 * (readCpuSeconds(subscribers.pid, 'own') - subscribersCpuBefore)) / seconds;
  const expected = total * SUBSCRIBERS;
  await waitUntil(
    'every subscriber has received every event',
    async () => (await subscribers.report()).arrived >= expected,
    10_000,
  );
  const [after, report] = [await service.memory(), await subscribers.report()];
  subscribers.stop();
  await service.stop();

  const growth = after.heapUsed / before.heapUsed;
  const isWithinTargets =
    report.missed === 0 && report.open === SUBSCRIBERS && report.p99Ms < TARGET_P99_MS && growth < MAX_GROWTH;
  if (!isWithinTargets) process.exitCode = 1;
  console.log(
    `\n${title}: ${report.arrived} events arrived at ${report.open} subscribers, ${report.missed} were missed`,
  );
  console.log(
    `  delay p50 ${report.p50Ms} ms, p99 ${report.p99Ms} ms (aim ${TARGET_P99_MS}), worst ${report.worstMs} ms`,
  );
  console.log(
    `  server: ${cpu.toFixed(0)} % of a core, event loop delay ${loopDelayMs.toFixed(1)} ms (p99); subscribers: ${subscribersCpu.toFixed(0)} %`,
  );
  console.log(
    `  memory after ${WARM_UP_S} s and at the end: heap ${formatMib(before.heapUsed)}, ${formatMib(after.heapUsed)} (${growth.toFixed(2)} times, aim ${MAX_GROWTH}); in all ${formatMib(before.rss)}, ${formatMib(after.rss)}`,
  );
}

async function measurePostgres(): Promise<void> {
  const postgres = await startPostgres(memoryFolder({ roomMb: REQUIRED_MB }));
  if (!postgres) {
    console.log('\nPostgreSQL is not installed');
    return;
  }
  await measure('PostgreSQL', postgres.url);
  await postgres.stop();
}

console.log(
  `${SUBSCRIBERS} subscribers, ${EVENTS_PER_SECOND} events a second for ${SECONDS} s, Node ${process.versions.node}`,
);
const [only] = process.argv.slice(2);
try {
  if (only !== 'postgres') await measure('SQLite', 'sqlite');
  if (only !== 'sqlite') await measurePostgres();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
