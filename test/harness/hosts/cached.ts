import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.ts';

/** Where what takes long to build is kept, and where hosts live. */
export const CACHE = process.env['HOSTLER_TEST_CACHE'] ?? '/var/cache/hostler-tests';

interface Recipe {
  readonly name: string;
  /** Everything that decides what comes out. */
  readonly ingredients: readonly string[];
  /** Fills a folder that is there and empty. */
  build(folder: string): Promise<void>;
}

/**
 * The folder that a recipe makes. It is made once on a machine and kept; of several processes that want it one makes it and the others
 * wait. It gets its name when it is whole, so what was cut off in the middle is never taken for it.
 */
export async function cached({ name, ingredients, build }: Recipe): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(ingredients)).digest('hex').slice(0, 16);
  const folder = path.join(CACHE, `${name}-${digest}`);
  if (existsSync(folder)) return folder;
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder;
    process.stderr.write(`building ${name} for the test hosts, once: ${folder} …\n`);
    const unfinished = `${folder}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o755 });
    await build(unfinished);
    renameSync(unfinished, folder);
    return folder;
  });
}
