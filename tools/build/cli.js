// Builds the bundle of the CLI (see `bin/launcher.js`) unless the existing one has the same sources:
//
//     node tools/build/cli.js
//
// File names contain a hash of the content and files are never overwritten, and the record of the newest
// bundle is written last. A client that runs during a build finds a complete bundle.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUNDLE_FOLDER, BUNDLE_RECORD, findClientBundle, fingerprintFile } from '../../bin/launcher.js';

const ENTRY = 'bin/client-main.ts';
export const CONTRACT = 'src/contract/index.ts';
/** A client that runs longer has already loaded all its chunks. */
const RETENTION_MS = 86_400_000;

export const CLIENT_BUNDLE = {
  bundle: true,
  format: 'esm',
  target: 'node22.19',
  // Selects the ES modules of packages that have both formats: `import()` of CommonJS would return no names.
  platform: 'neutral',
  mainFields: ['module'],
  external: ['node:*'],
  metafile: true,
  write: false,
  logLevel: 'silent',
};

/**
 * The fields of the route definitions that a client uses, with empty schemas. It leaves validation to the server, and
 * creating hundreds of schemas would take half of the time of a command. The texts are for the documentation.
 */
export async function contractForClients({ build }, root) {
  const { outputFiles, metafile } = await build({ ...CLIENT_BUNDLE, absWorkingDir: root, entryPoints: [CONTRACT] });
  const [{ text }] = outputFiles;
  const { routes } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  // JSON.stringify() leaves out fields that are undefined.
  const entries = Object.entries(routes).map(([name, { method, path: pattern, body, mediaType, isStream }]) => [
    name,
    { method, path: pattern, body: body && {}, mediaType, isStream },
  ]);
  const contents = `export const routes = ${JSON.stringify(Object.fromEntries(entries))};`;
  return { contents, inputs: Object.keys(metafile.inputs) };
}

export const replaceFile = (root, file, contents) => ({
  name: 'replace-file',
  setup: build =>
    build.onLoad({ filter: /\.ts$/ }, at => (at.path === path.join(root, file) ? { contents } : undefined)),
});

/**
 * Builds the bundle in memory.
 *
 * @param {string} root
 */
export async function bundleCli(root) {
  const esbuild = await import('esbuild');
  const contract = await contractForClients(esbuild, root);
  const { outputFiles, metafile } = await esbuild.build({
    ...CLIENT_BUNDLE,
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outdir: BUNDLE_FOLDER,
    entryNames: '[name]-[hash]',
    // Lazily imported code stays in separate chunks.
    splitting: true,
    // Keeps names for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [replaceFile(root, CONTRACT, contract.contents)],
  });
  const [entry] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === ENTRY) ?? [];
  if (entry === undefined) throw new Error(`${ENTRY} has no output`);
  return {
    files: outputFiles ?? [],
    entry: path.basename(entry),
    inputs: [...new Set([...Object.keys(metafile.inputs), ...contract.inputs])],
  };
}

/** The manifest of a package represents all its files. */
function toFingerprintedFile(input) {
  const [inPackage] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
  return inPackage === undefined ? input : `${inPackage}/package.json`;
}

/** An empty fingerprint never matches: the file changed during the build. */
const fingerprintBefore = (file, ms) => (statSync(file).mtimeMs < ms ? fingerprintFile(file) : '');

function writeAtomically(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

function removeOldBundles(folder, isKept) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (!isKept(name) && mtimeMs !== undefined && mtimeMs < Date.now() - RETENTION_MS) rmSync(file, { force: true });
  }
}

/**
 * Builds the bundle if needed and returns its entry file.
 *
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function buildCli(root) {
  const current = findClientBundle(root);
  if (current !== undefined && existsSync(current)) return current;
  const folder = path.join(root, BUNDLE_FOLDER);
  const startedMs = Date.now();
  const { files, entry, inputs } = await bundleCli(root);
  const ownFile = path.relative(root, fileURLToPath(import.meta.url));
  const fingerprints = [...new Set([ownFile, ...inputs.map(toFingerprintedFile)])]
    .sort()
    .map(file => [file, fingerprintBefore(path.join(root, file), startedMs)]);
  mkdirSync(folder, { recursive: true });
  for (const file of files) if (!existsSync(file.path)) writeAtomically(file.path, file.contents);
  writeAtomically(
    path.join(folder, BUNDLE_RECORD),
    JSON.stringify({ entry, inputs: Object.fromEntries(fingerprints) }),
  );
  removeOldBundles(folder, name => name === BUNDLE_RECORD || files.some(file => path.basename(file.path) === name));
  return path.join(folder, entry);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildCli(process.cwd());
