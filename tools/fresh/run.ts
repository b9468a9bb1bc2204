// What a stranger's first hour is like: a Debian with nothing on it but Node, npm and Git is made, and what the README promises is done
// there, each part on a machine of its own, so that nothing is there yet. It needs root, and leaves nothing behind.
//
//   npm run test:fresh                     npm start, the tutorial, npm test
//   npm run test:fresh -- start tutorial   only these
//
// What is not committed is not on that machine.

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

async function timed<Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> {
  console.log(`fresh: ${what} …`);
  const begun = performance.now();
  const answer = await work();
  console.log(
    `fresh: ${what}: ${answer === undefined ? 'done' : answer}, ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  return answer;
}

async function playOnNewMachine(part: Part): Promise<string> {
  await runTool(['cp', '-a', '--reflink=auto', IMAGE, MACHINE]);
  try {
    return await part(MACHINE);
  } finally {
    await removeTree(MACHINE);
  }
}

async function playAll(names: readonly string[]): Promise<number> {
  await removeTree(FOLDER);
  mkdirSync(FOLDER, { recursive: true });
  try {
    await timed('a root file system', () => makeFreshImage(IMAGE));
    let failures = 0;
    for (const name of names) {
      const part = PARTS[name];
      if (part === undefined || isStopped) throw new Error(`${name} was not begun`);
      await timed(name, () => playOnNewMachine(part)).catch((error: unknown) => {
        failures++;
        console.error(`fresh: ${name} FAILED: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
    return failures;
  } finally {
    await removeTree(FOLDER);
  }
}

const names = process.argv.slice(2);
const unknown = names.filter(name => !(name in PARTS));
if (process.getuid?.() !== 0 || unknown.length > 0) {
  console.error(
    unknown.length > 0
      ? `there is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`
      : 'only root can make a root file system and namespaces: run it as root',
  );
  process.exit(2);
}
const failures = await withLock(`${FOLDER}.lock`, () =>
  playAll(names.length > 0 ? names : Object.keys(PARTS)),
);
process.exitCode = failures === 0 ? 0 : 1;
