// Makes the commands of the server's own machine into JavaScript, for the package; a checkout runs their sources:
//
//   node tools/build/server.js
//
// What must hold: whatever the code opens beside itself is there too. Such files are named as `new URL('…', import.meta.url)` and in no
// other way. A script is copied, a thread becomes a file to begin with, and what is outside of `src/` is found from the new place.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const SERVER_FOLDER = 'dist/server';
const ENTRY = 'src/server/commands/main.ts';
const BESIDE = /new URL\('([^']+)', import\.meta\.url\)/g;

/** What a source opens beside itself: as it names it, and as from the root. */
const besideOf = (root, file, source) =>
  [...source.matchAll(BESIDE)].map(([, name]) => ({
    name,
    file: path.relative(root, path.resolve(path.dirname(file), name)),
  }));

const isSource = file => file.startsWith('src/');
const isThread = file => isSource(file) && file.endsWith('.ts');

/** What it is called in the folder of the server, where all files lie beside each other. */
function placeOf(file) {
  if (!isSource(file)) return path.relative(SERVER_FOLDER, file);
  return path.basename(file).replace(/\.ts$/, '.js');
}

function sourceFiles(root) {
  return readdirSync(path.join(root, 'src'), { recursive: true })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => path.join(root, 'src', name));
}

const moved = root => ({
  name: 'moved',
  setup: build =>
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      const contents = besideOf(root, file, source).reduce(
        (text, { name, file: at }) =>
          text.replaceAll(`new URL('${name}', `, () => `new URL('${placeOf(at)}', `),
        source,
      );
      return { contents, loader: 'ts' };
    }),
});

/**
 * The files, in memory: by their names in the folder.
 *
 * @param {string} root
 * @returns {Promise<Map<string, Uint8Array>>}
 */
export async function bundleServer(root) {
  const { build } = await import('esbuild');
  const beside = new Set(
    sourceFiles(root)
      .flatMap(file => besideOf(root, file, readFileSync(file, 'utf8')))
      .map(({ file }) => file)
      .filter(isSource),
  );
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY, ...[...beside].filter(isThread)],
    entryNames: '[name]',
    outdir: SERVER_FOLDER,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    // What is loaded only when it is needed stays in a file of its own.
    splitting: true,
    // Errors name the lines of the sources; the sources themselves are in no package.
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [moved(root)],
    write: false,
    logLevel: 'silent',
  });
  const files = new Map(outputFiles.map(file => [path.basename(file.path), file.contents]));
  for (const file of [...beside].filter(each => !isThread(each))) {
    if (files.has(placeOf(file))) throw new Error(`two files of the server have the name ${placeOf(file)}`);
    files.set(placeOf(file), readFileSync(path.join(root, file)));
  }
  return files;
}

/** @param {string} root */
export async function buildServer(root) {
  const folder = path.join(root, SERVER_FOLDER);
  const files = await bundleServer(root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(path.join(folder, name), content);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildServer(process.cwd());
