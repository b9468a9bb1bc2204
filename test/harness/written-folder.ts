import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface WrittenFolder {
  readonly folder: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  remove(): void;
}

/** A temporary folder with files, by their paths in it. */
export function writtenFolder(files: Readonly<Record<string, string | Uint8Array>>): WrittenFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-test-'));
  const write: WrittenFolder['write'] = more => {
    for (const [name, content] of Object.entries(more)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  };
  write(files);
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
