import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { dyingWithUs, spawnTool } from './run-tool.ts';

/**
 * Does something while no other process does anything under the same lock. The kernel holds the lock for a child that dies with us, so
 * it is free again the moment that we end, however that comes.
 */
export async function withLock<Answer>(file: string, work: () => Promise<Answer>): Promise<Answer> {
  mkdirSync(path.dirname(file), { recursive: true });
  const holder = spawnTool(
    dyingWithUs(['flock', '--no-fork', file, 'sh', '-c', 'echo held; exec cat >/dev/null']),
  );
  const ended = once(holder, 'close');
  const isHeld = await Promise.race([
    new Promise<boolean>(resolve => holder.stdout?.once('data', () => resolve(true))),
    ended.then(() => false),
  ]);
  if (!isHeld) throw new Error(`no lock on ${file} can be had: is flock of util-linux there?`);
  try {
    return await work();
  } finally {
    holder.stdin?.end();
    await ended;
  }
}
