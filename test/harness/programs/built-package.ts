// The program as the package contains it: `bin/` and the bundles. It starts in half the time of the sources.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { BUNDLE_FOLDER } from '../../../bin/launcher.js';
import { buildCli } from '../../../tools/build/cli.js';
import { bundleServer, SERVER_FOLDER } from '../../../tools/build/server.js';
import { PROGRAM_VARIABLE, PROJECT } from './process.ts';

const FOLDER = path.join(PROJECT, '.cache/packages');
const COPIED = ['bin', 'package.json'];
/** Built by other steps and shared by all packages. */
const LINKED = [BUNDLE_FOLDER, 'dist/web'];
const DAY_MS = 86_400_000;

type Files = ReadonlyMap<string, Uint8Array>;

/** The copied files and the files of the server bundle, by path in the package. */
async function collectFiles(): Promise<Files> {
  const copied = COPIED.flatMap(name => {
    const found = statSync(path.join(PROJECT, name)).isDirectory() ? readdirSync(path.join(PROJECT, name)) : [''];
    return found.map(file => path.join(name, file));
  });
  const bundle = await bundleServer(PROJECT);
  return new Map([
    ...copied.map(name => [name, readFileSync(path.join(PROJECT, name))] as const),
    ...[...bundle].map(([name, content]) => [path.join(SERVER_FOLDER, name), content] as const),
  ]);
}

function hashFiles(files: Files): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name} ${content.length} `).update(content);
  return hash.digest('hex').slice(0, 16);
}

/** Another run may build the same package at the same time. */
function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true });
  }
}

/** Without a `src` folder the program runs its bundles. It finds its dependencies in the checkout. */
async function buildPackage(): Promise<string> {
  await buildCli(PROJECT);
  const files = await collectFiles();
  const folder = path.join(FOLDER, hashFiles(files));
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  for (const [name, content] of files) {
    mkdirSync(path.dirname(path.join(draft, name)), { recursive: true });
    writeFileSync(path.join(draft, name), content);
  }
  for (const name of LINKED) symlinkSync(path.join(PROJECT, name), path.join(draft, name));
  publish(draft, folder);
  return folder;
}

/** Keeps packages that another run may use. That run may rename or remove folders at the same time. */
function removeOldPackages(): void {
  for (const name of readdirSync(FOLDER)) {
    const folder = path.join(FOLDER, name);
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY };
    if (Date.now() - mtimeMs > DAY_MS) rmSync(folder, { recursive: true, force: true });
  }
}

export default async function setup(): Promise<void> {
  if (process.env[PROGRAM_VARIABLE] !== undefined) return;
  const folder = await buildPackage();
  utimesSync(folder, new Date(), new Date());
  removeOldPackages();
  process.env[PROGRAM_VARIABLE] = path.join(folder, 'bin/hostler.js');
}
