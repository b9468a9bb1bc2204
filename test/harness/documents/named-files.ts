// Files of ours that texts name, by their whole path or, as comments do, by the end of it: `domain/errors.ts`.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../programs/process.ts';

const NOT_OURS = new Set(['node_modules', '.git', '.cache', 'data', 'dist']);

/** Every file of the tree, as from its root. */
export function filesOfTree(folder = ''): readonly string[] {
  return readdirSync(path.join(PROJECT, folder), { withFileTypes: true }).flatMap(entry => {
    const name = path.posix.join(folder, entry.name);
    if (NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? filesOfTree(name) : [name];
  });
}

const endsOf = (file: string): readonly string[] => {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
};

/** Not what stands behind a placeholder, as in `<noun>.ts`, nor what leads out of a folder. */
const NAMED = /(?<![\w./$<>{}*…#-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:css|jsx?|md|py|tsx?)\b(?![\w-])/g;

/** What tells which of the files that a text names are not there. */
export function missingAmong(files: readonly string[]): (text: string) => readonly string[] {
  const ends = new Set(files.flatMap(endsOf));
  return text => (text.match(NAMED) ?? []).filter(name => !ends.has(name));
}

/** What a source says beside its code. */
export const commentsIn = (source: string): string =>
  (source.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g) ?? []).join('\n');
