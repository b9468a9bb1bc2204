// Where a reader of a document sits: a checkout to type in, which is a folder of its own with links to this one, a home, and `hostler` in
// the path. Whatever is written there is gone in the end.

import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installedHostler } from '../programs/installed-hostler.ts';
import { PROJECT } from '../programs/process.ts';
import type { SessionPlace } from './shell-session.ts';

/** What a clone would not have, or have anew. */
const NOT_LINKED = new Set(['.git', '.cache', 'data']);

export interface ReaderPlace {
  readonly checkout: string;
  /** Puts a program into the path, where the one that the document names cannot be had. */
  addProgram(name: string, script: string): void;
  /** Where whoever reads types: the same for each terminal. */
  readonly terminal: SessionPlace;
  remove(): void;
}

export async function makeReaderPlace(
  environment: Readonly<Record<string, string>> = {},
): Promise<ReaderPlace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostler-reader-'));
  const inside = (name: string) => {
    const made = path.join(folder, name);
    mkdirSync(made);
    return made;
  };
  const [checkout, home, programs] = [inside('hostler'), inside('home'), inside('bin')];
  for (const name of readdirSync(PROJECT))
    if (!NOT_LINKED.has(name)) symlinkSync(path.join(PROJECT, name), path.join(checkout, name));
  return {
    checkout,
    addProgram: (name, script) => writeFileSync(path.join(programs, name), script, { mode: 0o755 }),
    terminal: {
      cwd: checkout,
      environment: {
        PATH: `${installedHostler(programs)}:${process.env['PATH']}:/usr/sbin`,
        HOME: home,
        TERM: 'dumb',
        LC_ALL: 'C.UTF-8',
        NODE_COMPILE_CACHE: path.join(PROJECT, 'node_modules/.cache/compiled'),
        npm_config_update_notifier: 'false',
        ...environment,
      },
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
