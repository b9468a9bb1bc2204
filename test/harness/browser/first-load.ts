import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface LoadedFile {
  readonly name: string;
  /** As a browser gets it, by brotli. */
  readonly bytes: number;
}

/** What a page names: scripts, what is loaded ahead for them, and styles; icons are no part of the first picture. */
function namedInPage(html: string): string[] {
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? [];
  return tags
    .filter(tag => tag.startsWith('<script') || /\brel="(?:modulepreload|stylesheet|preload)"/.test(tag))
    .flatMap(tag => /\b(?:src|href)="\/([^"]+)"/.exec(tag)?.[1] ?? []);
}

/** What a script imports before it runs; `import(…)` is for later. */
const importedBy = (script: string): string[] =>
  [...script.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+)["']/g)].map(([, name]) => `assets/${name}`);

/** All that a browser loads of a built folder before somebody sees the first page. */
export function firstLoad(folder: string): readonly LoadedFile[] {
  const found = new Set(['index.html']);
  // What is found meanwhile is looked at as well.
  for (const name of found) {
    const file = path.join(folder, name);
    const content = /\.(?:html|js)$/.test(name) ? readFileSync(file, 'utf8') : '';
    const next = name.endsWith('.html') ? namedInPage(content) : importedBy(content);
    for (const each of next) if (existsSync(path.join(folder, each))) found.add(each);
  }
  return [...found].map(name => {
    const file = path.join(folder, name);
    return { name, bytes: statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size };
  });
}
