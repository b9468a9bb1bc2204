import { closeSync, fsyncSync, openSync } from 'node:fs';

/** What was written to a file, or which names a folder has, is on disk for good. */
export function syncPath(name: string): void {
  const handle = openSync(name, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
