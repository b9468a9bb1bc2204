import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder that only its user may enter, and those above it that are missing. One level after the other: on file systems that
 * make no folders, such as /proc, Node never comes back from a recursive mkdir.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
