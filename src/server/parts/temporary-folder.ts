import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The folder for sockets and other temporary files: the system's own or, if that is not writable, the data directory. */
export function temporaryFolder(data: string, usual = tmpdir()): string {
  try {
    accessSync(usual, constants.W_OK);
    return usual;
  } catch {
    return path.resolve(data);
  }
}
