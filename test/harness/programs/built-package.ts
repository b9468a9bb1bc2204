// The program as the package contains it, built once per run. It starts in half the time of the sources.

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { BUNDLE_FOLDER } from '../../../bin/launcher.js';
import { buildCli } from '../../../tools/build/cli.js';
import { bundleServer, SERVER_FOLDER } from '../../../tools/build/server.js';
import { PROGRAM_VARIABLE, PROJECT } from './process.ts';

const FOLDER = path.join(PROJECT, '.cache/packages');
const DAY_MS = 86_400_000;

/** A run that started earlier may still use an old package. */
function removeOldPackages(): void {
  for (const name of readdirSync(FOLDER)) {
    const folder = path.join(FOLDER, name);
    if (Date.now() - statSync(folder).mtimeMs > DAY_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** Without a `src` folder the program runs its bundles. It finds its packages in the checkout. */
async function buildPackage(): Promise<string> {
  await buildCli(PROJECT);
  const files = await bundleServer(PROJECT);
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(name).update(content);
  const folder = path.join(FOLDER, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;

  const draft = `${folder}.${process.pid}`;
  mkdirSync(path.join(draft, SERVER_FOLDER), { recursive: true });
  for (const name of ['bin', 'package.json'])
    cpSync(path.join(PROJECT, name), path.join(draft, name), { recursive: true });
  for (const [name, content] of files) writeFileSync(path.join(draft, SERVER_FOLDER, name), content);
  for (const name of [BUNDLE_FOLDER, 'dist/web']) symlinkSync(path.join(PROJECT, name), path.join(draft, name));
  renameSync(draft, folder);
  return folder;
}

export default async function setup(): Promise<void> {
  if (process.env[PROGRAM_VARIABLE] !== undefined) return;
  const folder = await buildPackage();
  removeOldPackages();
  process.env[PROGRAM_VARIABLE] = path.join(folder, 'bin/hostler.js');
}
