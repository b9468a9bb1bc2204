// Finds file names in texts: complete paths, or their last segments as in comments (`domain/errors.ts`).

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../programs/process.ts';

const IGNORED_FOLDERS = new Set(['node_modules', '.git', '.cache', 'data', 'dist']);

/** Paths relative to the repository root. */
export function listFiles(folder = ''): readonly string[] {
  return readdirSync(path.join(PROJECT, folder), { withFileTypes: true }).flatMap(entry => {
    const name = path.posix.join(folder, entry.name);
    if (IGNORED_FOLDERS.has(entry.name)) return [];
    return entry.isDirectory() ? listFiles(name) : [name];
  });
}

const listSuffixes = (file: string): readonly string[] => {
  const segments = file.split('/');
  return segments.map((_, index) => segments.slice(index).join('/'));
};

/** Excludes names after a placeholder, such as `<noun>.ts`, and paths that leave a folder. */
const FILE_NAME = /(?<![\w./$<>{}*…#-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:css|jsx?|md|py|tsx?)\b(?![\w-])/g;

export function createMissingFileFinder(files: readonly string[]): (text: string) => readonly string[] {
  const suffixes = new Set(files.flatMap(listSuffixes));
  return text => (text.match(FILE_NAME) ?? []).filter(name => !suffixes.has(name));
}

export const extractComments = (source: string): string =>
  (source.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g) ?? []).join('\n');
