import type { Stats } from 'node:fs';
import { closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { errorCode } from './errors.ts';

/**
 * What changes when a file is written, replaced or, through a symbolic link, exchanged. The time of its last change of any kind is part
 * of it: whoever overwrites a file may set the other time back, and keep the size.
 */
export async function fileFingerprint(file: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}

/** Whether others than the owner may do anything with a file or folder: read it, write it, or look for what is in it. */
export const isAccessibleByOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0;

/**
 * Makes a folder that only its user may enter, and those above it that are missing. One level after the other: on file systems that
 * make no folders, such as /proc, Node never comes back from a recursive mkdir.
 */
export function createPrivateDirectory(directory: string): void {
  if (existsSync(directory)) return;
  createPrivateDirectory(path.dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

/** What was written to a file, or which names a folder has, is on disk for good. */
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

/** A size of 0 says nothing under /proc, and a file may grow while it is read: so one byte more than allowed is asked for. */
async function readBounded(file: FileHandle, maxBytes: number): Promise<string> {
  const content = await buffer(file.createReadStream({ end: maxBytes, autoClose: false }));
  if (content.length > maxBytes)
    throw new UnsuitableFileError(`is too large; the maximum is ${maxBytes} bytes`);
  return content.toString('utf8');
}

async function readChecked(path: string, maxBytes: number): Promise<string> {
  // Merely opening a device may do something.
  assertSuitable(await stat(path), maxBytes);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    assertSuitable(await file.stat(), maxBytes);
    return await readBounded(file, maxBytes);
  } finally {
    await file.close();
  }
}

/**
 * What is in a file whose path somebody has given: never waits for a writer, and reads no more than it may. The message of what it
 * throws begins with the path, such as `/x cannot be read (ENOENT)`, and holds nothing of the content.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  try {
    return await readChecked(path, maxBytes);
  } catch (error) {
    if (error instanceof UnsuitableFileError) throw new Error(`${path} ${error.message}`);
    throw new Error(`${path} cannot be read (${errorCode(error) || 'unknown reason'})`);
  }
}

/** A moment as a part of a file's name: only digits and letters, and later ones sort behind. */
export const fileTimestamp = (nowMs: number): string =>
  new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
