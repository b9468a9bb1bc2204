// npm run bench:metrics — what metrics cost: each thing that is counted, beside an empty loop; and a scrape with 50,000 hosts, nearly all of them in
// operations, with how long it holds up others. Of several rounds the best counts: what else the machine does is not ours.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toRecordName } from '../src/domain/record-name.ts';
import { startMetrics } from '../src/server/metrics/metrics.ts';
import { ASKED, newOperation } from '../src/store/repositories/operations/operation-lab.ts';
import { openSqlite } from '../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../src/store/store.ts';
import { addressOf, fillWithHosts, hostOf } from '../test/harness/stores/many-hosts.ts';

const HOSTS = 50_000;
const CALLS = 1_000_000;
const SCRAPES = 20;

const metrics = startMetrics({ version: 'bench', schema: 'bench' });
const http = (store: Store) =>
  metrics.over({
    store,
    watchReport: async () => {
      const { watched } = await store.reads.agenda.report();
      const unreachable = await store.reads.hostChecks.countUnreachable();
      return { state: 'ok', intervalS: 60, lagS: 0, hosts: watched, unreachable, detail: '' };
    },
    eventReaders: () => 0,
    eventPosition: () => 0,
  });

/** In nanoseconds each, the best of five rounds. */
function nsOf(call: (index: number) => void): number {
  const rounds = Array.from({ length: 5 }, () => {
    const begunMs = performance.now();
    for (let index = 0; index < CALLS; index += 1) call(index);
    return ((performance.now() - begunMs) * 1e6) / CALLS;
  });
  return Math.min(...rounds);
}

async function openAll(store: Store): Promise<void> {
  const all = Array.from({ length: HOSTS }, (_, index) => hostOf(index));
  for (const [cluster, hosts] of Map.groupBy(all, host => host.cluster)) {
    if (cluster === null) continue;
    const planned = hosts.map(({ address, enrolment }, position) => ({ host: address, enrolment, position }));
    await store.transaction(async records => {
      const operation = newOperation(`op-${cluster}`, toRecordName(cluster), { hostCount: planned.length });
      await records.operations.insert(operation, ASKED, 0);
      await records.operationHosts.insert(operation.id, planned);
    });
  }
  for (let from = 0; from < HOSTS; from += 1000)
    await store.transaction(records =>
      records.agenda.addWork(
        Array.from({ length: 1000 }, (_, index) => addressOf(from + index)),
        0,
      ),
    );
}

/** The longest time in which nobody else had a turn. */
async function heldUpMs(work: () => Promise<unknown>): Promise<number> {
  let [isOver, longestMs, lastMs] = [false, 0, performance.now()];
  const look = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longestMs;
}

const line = (what: string, value: number, unit: string) =>
  console.log(`${what.padEnd(56)} ${value.toFixed(value < 100 ? 1 : 0).padStart(8)} ${unit}`);

const folder = mkdtempSync(path.join(tmpdir(), 'bench-metrics-'));
const store = await openSqlite(folder);
try {
  const { requestServed, read } = http(store);
  line(
    'an empty loop',
    nsOf(() => {}),
    'ns',
  );
  line(
    'one clock read',
    nsOf(() => void performance.now()),
    'ns',
  );
  line(
    'one request',
    nsOf(() => requestServed('GET', '/api/v0/host/{address}', 200, 0.002)),
    'ns',
  );
  line(
    'one store statement',
    nsOf(() => metrics.store.statementEnded(0.00002)),
    'ns',
  );
  line(
    'one task step',
    nsOf(() => metrics.engine.stepEnded('bootstrap', 'wait_for_ssh', 'done', 0.2)),
    'ns',
  );
  await fillWithHosts(store, HOSTS);
  await openAll(store);
  await read('openmetrics');
  const [took, held]: [number[], number[]] = [[], []];
  let text = '';
  for (let scrape = 0; scrape < SCRAPES; scrape += 1) {
    const begunMs = performance.now();
    held.push(
      await heldUpMs(async () => {
        text = await read('openmetrics');
      }),
    );
    took.push(performance.now() - begunMs);
  }
  line(`a scrape with ${HOSTS} hosts in operations`, Math.min(...took), 'ms');
  line('  of which others wait at once, at most', Math.min(...held), 'ms');
  line('  its length', text.length / 1024, 'KiB');
} finally {
  metrics.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
