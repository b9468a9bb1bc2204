import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { spawnTool, withParentDeathSignal } from '../programs/run-tool.ts';

/**
 * Runs a function while no other process holds the same lock. A child process holds the lock and dies with
 * us, so the lock is released however this process ends.
 */
export async function withLock<Result>(file: string, run: () => Promise<Result>): Promise<Result> {
  mkdirSync(path.dirname(file), { recursive: true });
  const holder = spawnTool(
    withParentDeathSignal(['flock', '--no-fork', file, 'sh', '-c', 'echo held; exec cat >/dev/null']),
  );
  const ended = once(holder, 'close');
  const isHeld = await Promise.race([
    new Promise<boolean>(resolve => holder.stdout?.once('data', () => resolve(true))),
    ended.then(() => false),
  ]);
  if (!isHeld) throw new Error(`cannot lock ${file}: is flock of util-linux installed?`);
  try {
    return await run();
  } finally {
    holder.stdin?.end();
    await ended;
  }
}

/** Folder of expensive builds and of running hosts. */
export const CACHE_FOLDER = process.env['HOSTLER_TEST_CACHE'] ?? '/var/cache/hostler-tests';

interface BuildOptions {
  readonly name: string;
  /** Everything that determines the result. */
  readonly inputs: readonly string[];
  /** Fills an existing, empty folder. */
  build(folder: string): Promise<void>;
}

/**
 * Returns the folder of a build. It is built once per machine; concurrent processes wait for the first. The
 * folder gets its final name when the build is complete, so an interrupted build is never used.
 */
export async function buildCached({ name, inputs, build }: BuildOptions): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
  const folder = path.join(CACHE_FOLDER, `${name}-${digest}`);
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
