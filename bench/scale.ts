// npm run bench:scale — what one, two and three servers on one PostgreSQL cost, by process: docs/admin/capacity-planning.md plans from it.
//
// The servers are processes of their own, the database is on disk with fsync on, and hosts are pretended in this process, so that what
// is measured are servers and database, not SSH. What the way to the pretend hosts costs is measured apart, as the floor. Where all
// of them share a few cores, time on the wall says little: what counts are CPU seconds, which add up.
//
//   npm run bench:scale              all of it
//   npm run bench:scale -- --quick   fewer hosts, shorter
//   npm run bench:scale -- checks    only that part; restarts, nothing

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fixedAndMore, heading, line, rowsByTable, sizes } from './scale/report.ts';
import { serveFleet } from './scale/serve-fleet.ts';
import { Site } from './scale/site.ts';
import type { Run } from './scale/workloads.ts';
import { bringIn, copyOthers, idle, restart, SELDOM_S, watch } from './scale/workloads.ts';
import { cpuSeconds } from './ssh/cpu-seconds.ts';

const isQuick = process.argv.includes('--quick');
const SERVERS = [1, 2, 3];
const FLEET = isQuick
  ? { hosts: 1000, broughtIn: 100, restarted: 100, clusters: 4 }
  : { hosts: 4000, broughtIn: 300, restarted: 400, clusters: 4 };
/** Of each cluster that is restarted. */
const AT_ONCE = 100;
/** A pace that is easily kept, and one that nobody keeps here. */
const PACES_S = isQuick ? [10, 5] : [20, 5];
const WATCH_S = isQuick ? 10 : 20;
const IDLE_S = isQuick ? 5 : 10;
const FLOOR_LOOKS = 10_000;

const NOTHING = 'seconds with nothing to do';

/** What a look at a pretend host costs that is nobody's but the bench's. */
async function floor({ fleet }: Site): Promise<void> {
  const args = [String(FLEET.hosts), String(FLOOR_LOOKS)];
  const asker = fork(path.join(import.meta.dirname, 'scale/asker.ts'), args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  serveFleet(fleet, asker);
  const before = cpuSeconds('self', 'own');
  let seconds = '';
  for await (const text of asker.stdout ?? []) seconds += text;
  const perThousand = 1000 / FLOOR_LOOKS;
  const [asking, answering] = [Number(seconds), cpuSeconds('self', 'own') - before];
  console.log(
    `baseline, CPU seconds for 1,000 checks of simulated hosts: ${(asking * perThousand).toFixed(2)} in a server, ${(answering * perThousand).toFixed(2)} in the fleet`,
  );
}

/** The same with one, two and three servers. */
async function forEachNumber(
  { site, what, checkIntervalS }: { site: Site; what: string; checkIntervalS: number },
  work: () => Promise<Run>,
): Promise<readonly Run[]> {
  console.log(heading(what));
  const runs: Run[] = [];
  for (const count of SERVERS) {
    await site.db.query('vacuum analyze');
    const run = await site.withServers(count, checkIntervalS, work);
    runs.push(run);
    console.log(line(run));
    // PostgreSQL counts some seconds late: what is left of the run before is seen only where little happens.
    if (count === SERVERS.at(-1) && what !== NOTHING) console.log(rowsByTable(run));
  }
  return runs;
}

const restarts = (site: Site) =>
  forEachNumber({ site, what: 'steps of restarts', checkIntervalS: SELDOM_S }, () =>
    restart(site, FLEET, AT_ONCE),
  );

async function checks(site: Site): Promise<void> {
  const runs: (readonly Run[])[] = [];
  for (const checkIntervalS of PACES_S)
    runs.push(
      await forEachNumber({ site, what: `checks, each host every ${checkIntervalS} s`, checkIntervalS }, () =>
        watch(site, checkIntervalS, WATCH_S),
      ),
    );
  const [few, many] = runs;
  console.log('');
  for (const [index, count] of SERVERS.entries()) {
    const [seldom, often] = [few?.[index], many?.[index]];
    if (seldom && often) console.log(`${count}, health checks: ${fixedAndMore(seldom, often)}`);
  }
}

const nothing = (site: Site) =>
  forEachNumber({ site, what: NOTHING, checkIntervalS: SELDOM_S }, () => idle(site, IDLE_S));

const PARTS = { restarts, checks, nothing };

async function bench(site: Site): Promise<void> {
  console.log(heading('hosts bootstrapped'));
  const broughtIn = await site.withServers(1, SELDOM_S, () => bringIn(site, FLEET));
  console.log(line(broughtIn));
  console.log(rowsByTable(broughtIn));
  await copyOthers(site, FLEET);
  await floor(site);
  const wanted = process.argv.slice(2).filter(argument => Object.hasOwn(PARTS, argument));
  for (const [name, part] of Object.entries(PARTS))
    if (wanted.length === 0 || wanted.includes(name)) await part(site);
  for (const text of await sizes(site)) console.log(text);
}

// Only a process that exits by itself takes its servers and its database with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const folder = mkdtempSync(path.join(tmpdir(), 'hostler-bench-scale-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

const site = await Site.open(folder);
if (site === undefined) throw new Error('PostgreSQL is not installed.');
console.log(
  `${FLEET.hosts} simulated hosts; servers, database and fleet share ${availableParallelism()} cores`,
);
try {
  await bench(site);
} finally {
  await site.close();
}
