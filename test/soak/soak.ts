// npm run test:soak — three servers on one PostgreSQL that are kept busy for half an hour: nothing may grow, and nothing may be lost.
//
//   npm run test:soak                         30 minutes, 2,000 hosts
//   npm run test:soak -- --minutes 10         shorter; the first third is for warming up
//   npm run test:soak -- --hosts 500
//   npm run test:soak -- --store sqlite       one server on the embedded store
//   npm run test:soak -- --preload FILE       loads a module into the last server, such as one that leaks

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT } from '../harness/programs/process.ts';
import { reportLosses, reportSight, reportTable, reportVerdicts } from '../harness/soak/report.ts';
import { soak } from '../harness/soak/soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    hosts: { type: 'string', default: '2000' },
    store: { type: 'string', default: 'postgres' },
    preload: { type: 'string' },
  },
});

const [minutes, hosts] = [Number(values.minutes), Number(values.hosts)];
const store = values.store === 'sqlite' ? 'sqlite' : 'postgres';
if (!(minutes > 0) || !Number.isInteger(hosts) || hosts < 1)
  throw new Error('--minutes and --hosts must be numbers above 0');

/** Of few hosts, a share. */
const small = Math.min(1, hosts / 200);
const WARM_UP = 1 / 3;
const KEPT = 1 / 10;
const READINGS = 180;
const SHORTEST_KEPT_MINUTES = 0.5;
const FOLDER = path.join(PROJECT, '.cache/soak');

const say = (text: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

// Only a process that exits by itself takes its servers and its database with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const report = await soak({
  ...{ store, hosts, minutes, say, preload: values.preload },
  servers: store === 'sqlite' ? 1 : 3,
  rings: 3,
  hostsPerRing: Math.max(2, Math.floor(25 * small)),
  guests: Math.max(2, Math.floor(12 * small)),
  checkIntervalS: 60,
  keepMinutes: Math.max(SHORTEST_KEPT_MINUTES, minutes * KEPT),
  warmUpMinutes: minutes * WARM_UP,
  readingEveryS: Math.max(1, Math.ceil((minutes * 60) / READINGS)),
});
const isFlat = report.judged.every(({ verdict }) => verdict === 'flat');
process.stdout.write(`\n${reportTable(report.judged)}\n\n${reportSight(report.judged, report.work)}\n`);
process.stdout.write(`${JSON.stringify(report.done)}\n${reportLosses(report.losses)}\n`);
process.stdout.write(`${reportVerdicts(report.judged)}\n`);
mkdirSync(FOLDER, { recursive: true });
const file = path.join(FOLDER, `${new Date().toISOString().replaceAll(':', '-')}.json`);
writeFileSync(file, JSON.stringify(report));
process.stdout.write(`All readings are in ${path.relative(PROJECT, file)}.\n`);
process.exit(isFlat && report.losses.length === 0 ? 0 : 1);
