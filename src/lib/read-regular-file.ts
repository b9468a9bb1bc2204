import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { errorCode } from './errors/error-code.ts';

class Unfit extends Error {}

function refuseUnfit(stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new Unfit('is not a regular file');
  if (stats.size > maxBytes) throw new Unfit(`is too large; the maximum is ${maxBytes} bytes`);
}

/** A size of 0 says nothing under /proc, and a file may grow while it is read: so one byte more than allowed is asked for. */
async function readBounded(file: FileHandle, maxBytes: number): Promise<string> {
  const content = await buffer(file.createReadStream({ end: maxBytes, autoClose: false }));
  if (content.length > maxBytes) throw new Unfit(`is too large; the maximum is ${maxBytes} bytes`);
  return content.toString('utf8');
}

async function readFit(path: string, maxBytes: number): Promise<string> {
  // Merely opening a device may do something.
  refuseUnfit(await stat(path), maxBytes);
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    refuseUnfit(await file.stat(), maxBytes);
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
    return await readFit(path, maxBytes);
  } catch (error) {
    if (error instanceof Unfit) throw new Error(`${path} ${error.message}`);
    throw new Error(`${path} cannot be read (${errorCode(error) || 'unknown reason'})`);
  }
}
