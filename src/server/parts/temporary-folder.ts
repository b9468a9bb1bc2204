import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** For sockets and the like: where everybody has such things or, where nothing can be written there, in the data directory. */
export function temporaryFolder(data: string, usual = tmpdir()): string {
  try {
    accessSync(usual, constants.W_OK);
    return usual;
  } catch {
    return path.resolve(data);
  }
}
