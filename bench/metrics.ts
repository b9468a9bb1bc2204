// npm run bench:metrics — the cost of metrics: each counter compared with an empty loop, and a scrape with
// 50,000 hosts, nearly all of them in operations, with the time it blocks the event loop. The best of several
// rounds counts, because other load on the machine only adds time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toRecordName } from '../src/domain/record-name.ts';
import { startMetrics } from '../src/server/metrics/metrics-service.ts';
import { newOperation, REQUEST } from '../src/store/repositories/operations/operation-fixtures.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { createHost, hostAddress, insertHosts } from '../test/harness/stores/large-fleet.ts';

const HOSTS = 50_000;
const CALLS = 1_000_000;
const SCRAPES = 20;

const metrics = startMetrics({ version: 'bench', schema: 'bench' });
const createExporter = (store: Store) =>
  metrics.createExporter({
    store,
    healthReport: async () => {
      const { checkedHosts } = await store.reads.hostQueue.getCheckStats();
      const unreachable = await store.reads.healthChecks.countUnreachable();
      return { state: 'ok', intervalS: 60, lagS: 0, hosts: checkedHosts, unreachable, detail: '' };
    },
    subscriberCount: () => 0,
    eventPosition: () => 0,
  });

/** Nanoseconds per call, the best of five rounds. */
function measureNs(call: (index: number) => void): number {
  const rounds = Array.from({ length: 5 }, () => {
    const startedMs = performance.now();
    for (let index = 0; index < CALLS; index += 1) call(index);
    return ((performance.now() - startedMs) * 1e6) / CALLS;
  });
  return Math.min(...rounds);
}

async function openOperations(store: Store): Promise<void> {
  const all = Array.from({ length: HOSTS }, (_, index) => createHost(index));
  for (const [cluster, hosts] of Map.groupBy(all, host => host.cluster)) {
    if (cluster === null) continue;
    const planned = hosts.map(({ address, enrolment }, position) => ({ host: address, enrolment, position }));
    await store.transaction(async records => {
      const operation = newOperation(`op-${cluster}`, toRecordName(cluster), { hostCount: planned.length });
      await records.operations.insert(operation, REQUEST, 0);
      await records.operationHosts.insert(operation.id, planned);
    });
  }
  for (let from = 0; from < HOSTS; from += 1000)
    await store.transaction(records =>
      records.tasks.scheduleHosts(
        Array.from({ length: 1000 }, (_, index) => hostAddress(from + index)),
        0,
      ),
    );
}

/** The longest time that the event loop was blocked. */
async function measureLongestBlockMs(run: () => Promise<unknown>): Promise<number> {
  let [isOver, longestMs, lastMs] = [false, 0, performance.now()];
  const tick = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await run();
  isOver = true;
  return longestMs;
}

const printLine = (title: string, value: number, unit: string) =>
  console.log(`${title.padEnd(56)} ${value.toFixed(value < 100 ? 1 : 0).padStart(8)} ${unit}`);

const folder = mkdtempSync(path.join(tmpdir(), 'bench-metrics-'));
const store = await openSqlite(folder);
try {
  const { requestServed, render } = createExporter(store);
  printLine(
    'an empty loop',
    measureNs(() => {}),
    'ns',
  );
  printLine(
    'one clock read',
    measureNs(() => void performance.now()),
    'ns',
  );
  printLine(
    'one request',
    measureNs(() => requestServed('GET', '/api/v0/host/{address}', 200, 0.002)),
    'ns',
  );
  printLine(
    'one store statement',
    measureNs(() => metrics.store.statementEnded(0.00002)),
    'ns',
  );
  printLine(
    'one task step',
    measureNs(() => metrics.engine.stepEnded('bootstrap', 'wait_for_ssh', 'done', 0.2)),
    'ns',
  );
  await insertHosts(store, HOSTS);
  await openOperations(store);
  await render('openmetrics');
  const [durationsMs, blockedMs]: [number[], number[]] = [[], []];
  let text = '';
  for (let scrape = 0; scrape < SCRAPES; scrape += 1) {
    const startedMs = performance.now();
    blockedMs.push(
      await measureLongestBlockMs(async () => {
        text = await render('openmetrics');
      }),
    );
    durationsMs.push(performance.now() - startedMs);
  }
  printLine(`a scrape with ${HOSTS} hosts in operations`, Math.min(...durationsMs), 'ms');
  printLine('  longest block of the event loop', Math.min(...blockedMs), 'ms');
  printLine('  size of the response', text.length / 1024, 'KiB');
} finally {
  metrics.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
