import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface LoadedFile {
  readonly name: string;
  /** Size after brotli compression. */
  readonly bytes: number;
}

/** Scripts, preloaded modules and stylesheets. Icons do not delay the first render. */
function findPageAssets(html: string): string[] {
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? [];
  return tags
    .filter(tag => tag.startsWith('<script') || /\brel="(?:modulepreload|stylesheet|preload)"/.test(tag))
    .flatMap(tag => /\b(?:src|href)="\/([^"]+)"/.exec(tag)?.[1] ?? []);
}

/** Static imports only: dynamic imports load later. */
const findImports = (script: string): string[] =>
  [...script.matchAll(/\b(?:from|import)\s*["']\.\/([^"']+)["']/g)].map(([, name]) => `assets/${name}`);

/** All files that a browser loads before the first page is visible. */
export function listInitialFiles(folder: string): readonly LoadedFile[] {
  const files = new Set(['index.html']);
  // The loop also visits files that it adds.
  for (const name of files) {
    const file = path.join(folder, name);
    const content = /\.(?:html|js)$/.test(name) ? readFileSync(file, 'utf8') : '';
    const next = name.endsWith('.html') ? findPageAssets(content) : findImports(content);
    for (const asset of next) if (existsSync(path.join(folder, asset))) files.add(asset);
  }
  return [...files].map(name => {
    const file = path.join(folder, name);
    return { name, bytes: statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size };
  });
}
