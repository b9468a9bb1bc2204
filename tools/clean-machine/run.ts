// Tests the first hour of a new user. Creates a Debian with only Node, npm and Git and runs the promises of
// the README there, each scenario on a new machine. Requires root and leaves only a report in .cache/fresh/.
//
//     npm run test:fresh                     npm start with the first sign-in, the quickstart, the tutorial, npm test
//     npm run test:fresh -- start tutorial   only these
//
// The machine contains only committed files. It is a root file system and not a virtual machine: its
// processes are root on this kernel, in this network and in these control groups (enter.sh).

import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { listChildren, signalAll } from '../../test/harness/programs/proc-files.ts';
import { PROJECT } from '../../test/harness/programs/process.ts';
import { removeTree, runTool } from '../../test/harness/programs/run-tool.ts';
import { CACHE_FOLDER, withLock } from '../../test/harness/real-hosts/build-cache.ts';
import { createImage } from './machine.ts';
import type { Scenario } from './scenarios.ts';
import { SCENARIOS } from './scenarios.ts';

const REPORT_FOLDER = path.join(PROJECT, '.cache/fresh');
const GIB = 2 ** 30;

interface ScenarioResult {
  readonly scenario: string;
  readonly isPassed: boolean;
  readonly message: string;
  readonly durationS: number;
}

interface TestMachine {
  readonly commit: string;
  readonly machine: string;
}

const describeTestMachine = async (): Promise<TestMachine> => ({
  commit: (await runTool(['git', '-C', PROJECT, 'rev-parse', '--short', 'HEAD'])).trim(),
  machine: [
    `${os.cpus().length} × ${os.cpus()[0]?.model.trim() ?? 'processor'}`,
    `${(os.totalmem() / GIB).toFixed(0)} GiB`,
    `Linux ${os.release()}`,
  ].join(', '),
});

/** Returns the path of the report. */
function writeReport(testMachine: TestMachine, results: readonly ScenarioResult[]): string {
  mkdirSync(REPORT_FOLDER, { recursive: true });
  const at = new Date().toISOString();
  const file = path.join(REPORT_FOLDER, `${at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify({ at, ...testMachine, results }, undefined, 2)}\n`);
  return path.relative(PROJECT, file);
}

const WORK_FOLDER = path.join(CACHE_FOLDER, 'fresh');
const IMAGE = path.join(WORK_FOLDER, 'image');
const MACHINE = path.join(WORK_FOLDER, 'machine');

/** A signal kills the running child processes, and the normal cleanup follows. */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true;
    signalAll(listChildren(process.pid), 'SIGKILL');
  });

/** Never rejects: an error becomes a failed result. */
async function runTimed(scenario: string, run: () => Promise<string>): Promise<ScenarioResult> {
  console.log(`fresh: ${scenario} …`);
  const startedMs = performance.now();
  const [isPassed, message] = await run().then(
    result => [true, result] as const,
    (error: unknown) => [false, error instanceof Error ? error.message : String(error)] as const,
  );
  const durationS = Math.round((performance.now() - startedMs) / 1000);
  console.log(`fresh: ${scenario}${isPassed ? '' : ' FAILED'}: ${message}, ${durationS} s`);
  return { scenario, isPassed, message, durationS };
}

async function runOnNewMachine(scenario: Scenario): Promise<string> {
  await runTool(['cp', '-a', '--reflink=auto', IMAGE, MACHINE]);
  try {
    return await scenario(MACHINE);
  } finally {
    await removeTree(MACHINE);
  }
}

async function runAll(names: readonly string[]): Promise<readonly ScenarioResult[]> {
  await removeTree(WORK_FOLDER);
  mkdirSync(WORK_FOLDER, { recursive: true });
  try {
    const image = await runTimed('a root file system', async () => {
      await createImage(IMAGE);
      return 'created';
    });
    const results = [image];
    for (const name of image.isPassed ? names : []) {
      const scenario = SCENARIOS[name];
      if (scenario === undefined || isStopped) throw new Error(`${name} was not started`);
      results.push(await runTimed(name, () => runOnNewMachine(scenario)));
    }
    return results;
  } finally {
    await removeTree(WORK_FOLDER);
  }
}

const names = process.argv.slice(2);
const unknown = names.filter(name => !(name in SCENARIOS));
if (process.getuid?.() !== 0 || unknown.length > 0) {
  console.error(
    unknown.length > 0
      ? `unknown scenario ${unknown.join(', ')}; the scenarios are ${Object.keys(SCENARIOS).join(', ')}`
      : 'run this command as root; it creates a root file system and namespaces',
  );
  process.exit(2);
}
const testMachine = await describeTestMachine();
console.log(`fresh: ${testMachine.commit} on ${testMachine.machine}`);
console.log('fresh: the tests run as root on this kernel and network; use a disposable machine');
const results = await withLock(`${WORK_FOLDER}.lock`, () => runAll(names.length > 0 ? names : Object.keys(SCENARIOS)));
console.log(`fresh: the report is in ${writeReport(testMachine, results)}`);
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;
