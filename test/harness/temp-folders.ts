import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

export interface TempFolder {
  readonly folder: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  remove(): void;
}

/** A temporary folder with files by relative path. */
export function createTempFolder(files: Readonly<Record<string, string | Uint8Array>>): TempFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-test-'));
  const write: TempFolder['write'] = added => {
    for (const [name, content] of Object.entries(added)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  };
  write(files);
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const folders: string[] = [];

/** A temporary folder that is removed after the last test of the file. */
export function createSuiteFolder(prefix: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), prefix));
  folders.push(folder);
  return folder;
}

// Runs in each test file that imports this module.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
