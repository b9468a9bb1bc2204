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
const ENTRY = 'src/server/main.ts';
const ASSET_URL = /new URL\('([^']+)', import\.meta\.url\)/g;

/** What a source opens beside itself: as it names it, and as from the root. */
const findAssets = (root, file, source) =>
  [...source.matchAll(ASSET_URL)].map(([, name]) => ({
    name,
    file: path.relative(root, path.resolve(path.dirname(file), name)),
  }));

const isSource = file => file.startsWith('src/');
const isWorker = file => isSource(file) && file.endsWith('.ts');

/** What it is called in the folder of the server, where all files lie beside each other. */
function toOutputName(file) {
  if (!isSource(file)) return path.relative(SERVER_FOLDER, file);
  return path.basename(file).replace(/\.ts$/, '.js');
}

function sourceFiles(root) {
  return readdirSync(path.join(root, 'src'), { recursive: true })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => path.join(root, 'src', name));
}

const rewriteAssetUrls = root => ({
  name: 'moved',
  setup: build =>
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      const contents = findAssets(root, file, source).reduce(
        (text, { name, file: at }) =>
          text.replaceAll(`new URL('${name}', `, () => `new URL('${toOutputName(at)}', `),
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
  const assets = new Set(
    sourceFiles(root)
      .flatMap(file => findAssets(root, file, readFileSync(file, 'utf8')))
      .map(({ file }) => file)
      .filter(isSource),
  );
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY, ...[...assets].filter(isWorker)],
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
    plugins: [rewriteAssetUrls(root)],
    write: false,
    logLevel: 'silent',
  });
  const files = new Map(outputFiles.map(file => [path.basename(file.path), file.contents]));
  for (const file of [...assets].filter(each => !isWorker(each))) {
    if (files.has(toOutputName(file)))
      throw new Error(`two files of the server have the name ${toOutputName(file)}`);
    files.set(toOutputName(file), readFileSync(path.join(root, file)));
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
