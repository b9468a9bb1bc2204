import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

/** A folder that is gone when the tests of the file are over. */
export function folderOfTests(prefix: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  made.push(folder);
  return folder;
}

// Of the file that imports this: it has a process of its own.
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
