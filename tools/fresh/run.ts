// What a stranger's first hour is like: a Debian with nothing on it but Node, npm and Git is made, and what the README promises is done
// there, each part on a machine of its own, so that nothing is there yet. It needs root, and leaves nothing behind but a report in
// .cache/fresh/.
//
//   npm run test:fresh                     npm start and the first sign-in, the quickstart, the tutorial, npm test
//   npm run test:fresh -- start tutorial   only these
//
// What is not committed is not on that machine. It is a root file system, and no machine of its own: what runs there is root of this
// kernel, in this network and with these control groups (enter.sh).

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { CACHE } from '../../test/harness/hosts/cached.ts';
import { withLock } from '../../test/harness/hosts/lock.ts';
import { childrenOf, signalAll } from '../../test/harness/hosts/process-tree.ts';
import { removeTree } from '../../test/harness/hosts/remove-tree.ts';
import { runTool } from '../../test/harness/hosts/run-tool.ts';
import { makeFreshImage } from './fresh-image.ts';
import type { Part } from './parts.ts';
import { PARTS } from './parts.ts';
import type { PartRan } from './report.ts';
import { keepReport, surroundings } from './report.ts';

const FOLDER = path.join(CACHE, 'fresh');
const IMAGE = path.join(FOLDER, 'image');
const MACHINE = path.join(FOLDER, 'machine');

/** Somebody wants it to end. Whatever is under way fails then, and what it has made is removed as after any failure. */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    isStopped = true;
    signalAll(childrenOf(process.pid), 'SIGKILL');
  });

/** Whatever comes of it. */
async function timed(part: string, work: () => Promise<string>): Promise<PartRan> {
  console.log(`fresh: ${part} …`);
  const begun = performance.now();
  const [isWell, told] = await work().then(
    answer => [true, answer] as const,
    (error: unknown) => [false, error instanceof Error ? error.message : String(error)] as const,
  );
  const tookS = Math.round((performance.now() - begun) / 1000);
  console.log(`fresh: ${part}${isWell ? '' : ' FAILED'}: ${told}, ${tookS} s`);
  return { part, isWell, told, tookS };
}

async function playOnNewMachine(part: Part): Promise<string> {
  await runTool(['cp', '-a', '--reflink=auto', IMAGE, MACHINE]);
  try {
    return await part(MACHINE);
  } finally {
    await removeTree(MACHINE);
  }
}

async function playAll(names: readonly string[]): Promise<readonly PartRan[]> {
  await removeTree(FOLDER);
  mkdirSync(FOLDER, { recursive: true });
  try {
    const image = await timed('a root file system', async () => {
      await makeFreshImage(IMAGE);
      return 'created';
    });
    const ran = [image];
    for (const name of image.isWell ? names : []) {
      const part = PARTS[name];
      if (part === undefined || isStopped) throw new Error(`${name} was not started`);
      ran.push(await timed(name, () => playOnNewMachine(part)));
    }
    return ran;
  } finally {
    await removeTree(FOLDER);
  }
}

const names = process.argv.slice(2);
const unknown = names.filter(name => !(name in PARTS));
if (process.getuid?.() !== 0 || unknown.length > 0) {
  console.error(
    unknown.length > 0
      ? `unknown part ${unknown.join(', ')}; the parts are ${Object.keys(PARTS).join(', ')}`
      : 'run this command as root; it creates a root file system and namespaces',
  );
  process.exit(2);
}
const where = await surroundings();
console.log(`fresh: ${where.commit} on ${where.machine}`);
console.log('fresh: the tests run as root on this kernel and network; use a disposable machine');
const ran = await withLock(`${FOLDER}.lock`, () => playAll(names.length > 0 ? names : Object.keys(PARTS)));
console.log(`fresh: the report is in ${keepReport(where, ran)}`);
process.exitCode = ran.every(({ isWell }) => isWell) ? 0 : 1;
