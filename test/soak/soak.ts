// npm run test:soak keeps three servers on one PostgreSQL busy for half an hour. Nothing may grow, and
// nothing may be lost.
//
//     npm run test:soak                         30 minutes, 2,000 hosts
//     npm run test:soak -- --minutes 10         shorter; the first third is for warming up
//     npm run test:soak -- --hosts 500
//     npm run test:soak -- --store sqlite       one server on SQLite
//     npm run test:soak -- --seed 2             other times of clients
//     npm run test:soak -- --preload FILE       loads a module into the last server, such as one that leaks

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT } from '../harness/programs/process.ts';
import { formatDetectableLeak, formatLosses, formatTable, formatVerdicts } from '../harness/soak/report.ts';
import { runSoak } from '../harness/soak/run-soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    hosts: { type: 'string', default: '2000' },
    store: { type: 'string', default: 'postgres' },
    seed: { type: 'string', default: '1' },
    preload: { type: 'string' },
  },
});

const [minutes, hosts, seed] = [Number(values.minutes), Number(values.hosts), Number(values.seed)];
const store = values.store === 'sqlite' ? 'sqlite' : 'postgres';
if (!(minutes > 0) || !Number.isInteger(hosts) || hosts < 1 || !Number.isInteger(seed))
  throw new Error('--minutes and --hosts must be numbers above 0, and --seed a number');

/** Scales the load down for fewer than 200 hosts. */
const scale = Math.min(1, hosts / 200);
const WARM_UP = 1 / 3;
const RETENTION_SHARE = 1 / 10;
const READINGS = 180;
const MIN_RETENTION_MINUTES = 0.5;
const FOLDER = path.join(PROJECT, '.cache/soak');

const print = (text: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

// The servers and the database stop only if the process exits by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const report = await runSoak({
  ...{ store, hosts, minutes, seed, onProgress: print, preload: values.preload },
  servers: store === 'sqlite' ? 1 : 3,
  busyClusters: 3,
  hostsPerBusyCluster: Math.max(2, Math.floor(25 * scale)),
  transientHosts: Math.max(2, Math.floor(12 * scale)),
  checkIntervalS: 60,
  keepMinutes: Math.max(MIN_RETENTION_MINUTES, minutes * RETENTION_SHARE),
  warmUpMinutes: minutes * WARM_UP,
  readingEveryS: Math.max(1, Math.ceil((minutes * 60) / READINGS)),
});
const isFlat = report.judged.every(({ verdict }) => verdict === 'flat');
process.stdout.write(`\n${formatTable(report.judged)}\n\n${formatDetectableLeak(report.judged, report.work)}\n`);
process.stdout.write(`${JSON.stringify(report.done)}\n${formatLosses(report.losses)}\n`);
process.stdout.write(`${formatVerdicts(report.judged)}\n`);
mkdirSync(FOLDER, { recursive: true });
const file = path.join(FOLDER, `${new Date().toISOString().replaceAll(':', '-')}.json`);
writeFileSync(file, JSON.stringify(report));
process.stdout.write(`All readings are in ${path.relative(PROJECT, file)}.\n`);
const hasPassed = isFlat && report.losses.length === 0;
const repeatedOptions = Object.entries(values).map(([name, value]) => `--${name} ${value}`);
if (!hasPassed) process.stdout.write(`To repeat: npm run test:soak -- ${repeatedOptions.join(' ')}\n`);
process.exit(hasPassed ? 0 : 1);
