// Compiles the server commands to JavaScript for the package. A checkout runs their sources.
//
//     node tools/build/server.js
//
// The output must contain every file that the code opens relative to itself. The code must name such files as
// `new URL('…', import.meta.url)`. Scripts are copied, worker threads become entry points, and paths to files
// outside `src/` are rewritten.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const SERVER_FOLDER = 'dist/server';
const ENTRY = 'src/server/main.ts';
/** Packages with hundreds of modules: the server starts in half the time if the bundle contains them. */
const BUNDLED_PACKAGES = ['kysely', 'typebox'];
const ASSET_URL = /new URL\('([^']+)', import\.meta\.url\)/g;

/** The files that a source opens: the name in the source, and the path from the root. */
const findAssets = (root, file, source) =>
  [...source.matchAll(ASSET_URL)].map(([, name]) => ({
    name,
    file: path.relative(root, path.resolve(path.dirname(file), name)),
  }));

const isSource = file => file.startsWith('src/');
const isWorker = file => isSource(file) && file.endsWith('.ts');

/** The name in the output folder, which is flat. */
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
  name: 'rewrite-asset-urls',
  setup: build =>
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: file }) => {
      const source = readFileSync(file, 'utf8');
      const contents = findAssets(root, file, source).reduce(
        (text, { name, file: at }) => text.replaceAll(`new URL('${name}', `, () => `new URL('${toOutputName(at)}', `),
        source,
      );
      return { contents, loader: 'ts' };
    }),
});

/**
 * Returns the file contents by name in the output folder.
 *
 * @param {string} root
 * @returns {Promise<Map<string, Uint8Array>>}
 */
export async function bundleServer(root) {
  const { build } = await import('esbuild');
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
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
    external: Object.keys(dependencies).filter(name => !BUNDLED_PACKAGES.includes(name)),
    platform: 'node',
    format: 'esm',
    target: 'node22.19',
    // Lazily imported code stays in separate chunks.
    splitting: true,
    // Errors show source lines; the package does not contain the sources.
    sourcemap: 'linked',
    sourcesContent: false,
    plugins: [rewriteAssetUrls(root)],
    write: false,
    logLevel: 'silent',
  });
  const files = new Map(outputFiles.map(file => [path.basename(file.path), file.contents]));
  for (const file of [...assets].filter(asset => !isWorker(asset))) {
    if (files.has(toOutputName(file))) throw new Error(`two files of the server have the name ${toOutputName(file)}`);
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
