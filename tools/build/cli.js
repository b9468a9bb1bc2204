// Makes the client's bundle (`bin/launcher.js` says what for), unless there is one of the same sources:
//
//   node tools/build/cli.js
//
// Files are named after their content and never written over, and the record of the newest comes last: a client that starts or runs
// meanwhile finds one bundle or the other, whole.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUNDLE_FOLDER, BUNDLE_RECORD, findClientBundle, fingerprintFile } from '../../bin/launcher.js';

const ENTRY = 'bin/client-main.ts';
const CONTRACT = 'src/contract/index.ts';
/** Whoever runs for longer has loaded all that it needs. */
const RETENTION_MS = 86_400_000;

const COMMON = {
  bundle: true,
  format: 'esm',
  target: 'node22.19',
  // Of packages that have both, what is made of modules: of the other kind `import()` would answer no names.
  platform: 'neutral',
  external: ['node:*'],
  metafile: true,
  write: false,
  logLevel: 'silent',
};

/**
 * The rows of the contract with empty schemas. The client sends by the rows and leaves all checking to the service, and making
 * hundreds of schemas would be half of what a command takes.
 */
async function contractWithoutSchemas({ build }, root) {
  const { outputFiles, metafile } = await build({ ...COMMON, absWorkingDir: root, entryPoints: [CONTRACT] });
  const [{ text }] = outputFiles;
  const { routes } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const entries = Object.entries(routes).map(([name, definition]) => [
    name,
    {
      ...definition,
      ...(definition.query && { query: {} }),
      ...(definition.body && { body: {} }),
      response: {},
    },
  ]);
  const contents = `export const routes = ${JSON.stringify(Object.fromEntries(entries))};`;
  return { contents, inputs: Object.keys(metafile.inputs) };
}

const replaceFile = (root, file, contents) => ({
  name: 'in-place-of',
  setup: build =>
    build.onLoad({ filter: /\.ts$/ }, at => (at.path === path.join(root, file) ? { contents } : undefined)),
});

/**
 * The bundle, in memory.
 *
 * @param {string} root
 */
export async function bundleCli(root) {
  const esbuild = await import('esbuild');
  const contract = await contractWithoutSchemas(esbuild, root);
  const { outputFiles, metafile } = await esbuild.build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outdir: BUNDLE_FOLDER,
    entryNames: '[name]-[hash]',
    // What is loaded only when it is needed stays in a file of its own.
    splitting: true,
    // Names stay, for whoever asks where an error came from.
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

/** Nobody changes single files of a package: for those of it stands its manifest. */
function toFingerprintedFile(input) {
  const [inPackage] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
  return inPackage === undefined ? input : `${inPackage}/package.json`;
}

/** Of what was changed while it was read nobody knows what was seen: no mark is like this one. */
const fingerprintBefore = (file, ms) => (statSync(file).mtimeMs < ms ? fingerprintFile(file) : '');

/** Under its name it is whole at once. */
function writeAtomically(file, content) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

function removeOldBundles(folder, isKept) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (!isKept(name) && mtimeMs !== undefined && mtimeMs < Date.now() - RETENTION_MS)
      rmSync(file, { force: true });
  }
}

/**
 * Builds it if that is needed; answers the file to begin with.
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
  removeOldBundles(
    folder,
    name => name === BUNDLE_RECORD || files.some(file => path.basename(file.path) === name),
  );
  return path.join(folder, entry);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildCli(process.cwd());
