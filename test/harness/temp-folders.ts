import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';

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

/** A temporary folder that exists while the tests of a suite run. Call it while tests are collected. */
export function createSuiteFolder(prefix: string): () => string {
  let folder: string | undefined;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), prefix));
  });
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (folder === undefined) throw new Error('The folder exists only while the tests of its suite run.');
    return folder;
  };
}
