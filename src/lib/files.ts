import type { Stats } from 'node:fs';
import { closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { errorCode } from './errors.ts';

/** Includes the ctime, because a writer can keep the size and reset the mtime. */
export async function fileFingerprint(file: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}

export const isAccessibleByOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0;

/** A recursive `mkdir` of Node never returns on file systems that cannot create directories, such as /proc. */
export function createPrivateDirectory(directory: string): void {
  if (existsSync(directory)) return;
  createPrivateDirectory(path.dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

export function fsyncPath(name: string): void {
  const handle = openSync(name, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

class UnsuitableFileError extends Error {}

function assertSuitable(stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new UnsuitableFileError('is not a regular file');
  if (stats.size > maxBytes) throw new UnsuitableFileError(`is too large; the maximum is ${maxBytes} bytes`);
}

/** Reads one byte more than allowed, because files under /proc have the size 0 and a file can grow while it is read. */
async function readBounded(file: FileHandle, maxBytes: number): Promise<string> {
  const content = await buffer(file.createReadStream({ end: maxBytes, autoClose: false }));
  if (content.length > maxBytes) throw new UnsuitableFileError(`is too large; the maximum is ${maxBytes} bytes`);
  return content.toString('utf8');
}

async function readChecked(path: string, maxBytes: number): Promise<string> {
  // Opening a device can have side effects.
  assertSuitable(await stat(path), maxBytes);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    assertSuitable(await file.stat(), maxBytes);
    return await readBounded(file, maxBytes);
  } finally {
    await file.close();
  }
}

/** For a path from a user: never blocks on a FIFO, and an error contains nothing of the content. */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  try {
    return await readChecked(path, maxBytes);
  } catch (error) {
    if (error instanceof UnsuitableFileError) throw new Error(`${path} ${error.message}`);
    throw new Error(`${path} cannot be read (${errorCode(error) || 'unknown reason'})`);
  }
}

/** Names sort by time. */
export const fileTimestamp = (nowMs: number): string => new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
