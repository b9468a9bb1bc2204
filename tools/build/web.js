// Builds the dashboard of `web/` into `dist/web` unless the existing build has the same sources:
//
//     node tools/build/web.js
//
// The build uses a draft folder that replaces `dist/web` at the end, so a failed build leaves the last complete one.
//
// Plain JavaScript without dependencies, because `tools/setup/install.js` calls it.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const WEB_FOLDER = 'dist/web';
const RECORD = 'built.json';
/** The sources of the dashboard: its own package, the modules it can import, their packages, and this script. */
const SOURCES = [
  'web',
  'src/contract',
  'src/sdk',
  'src/domain/vocabulary.ts',
  'src/domain/defaults.ts',
  'package-lock.json',
  'tools/build/web.js',
];
const DRAFT = /^\.web-/;
/** An older draft belongs to a build that was killed. */
const DRAFT_RETENTION_MS = 3_600_000;

/** @returns {string[]} */
function filesIn(root, name) {
  const stats = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [name] : [];
  return readdirSync(path.join(root, name))
    .filter(entry => entry !== 'node_modules')
    .sort()
    .flatMap(entry => filesIn(root, `${name}/${entry}`));
}

function hashFiles(root, sources) {
  const digest = createHash('sha256');
  for (const file of sources.flatMap(source => filesIn(root, source))) {
    const content = readFileSync(path.join(root, file));
    digest.update(`${file} ${content.length}\n`).update(content);
  }
  return digest.digest('hex');
}

function readRecord(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Runs npm in `web/` with the Node of this checkout. Prints its output only if it fails. */
function runNpm(root, args, env = {}) {
  const bin = path.join(root, 'node_modules/.bin');
  const { status, error, stdout, stderr } = spawnSync('npm', args, {
    cwd: path.join(root, 'web'),
    env: { ...process.env, ...env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  throw new Error(`"npm ${args[0]}" in web/ failed: ${error?.message ?? `exit status ${status}`}`);
}

function installPackages(root) {
  const stampFile = path.join(root, 'web/node_modules/.hostler-installed.json');
  const lock = hashFiles(root, ['web/package-lock.json']);
  if (readRecord(stampFile)?.lock === lock) return;
  console.log('Hostler: installing packages of the dashboard (only once, takes a few seconds) …');
  const kinds = ['--include=dev', '--include=optional'];
  runNpm(root, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...kinds]);
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ lock }));
}

/** Adds .br and .gz copies with maximum compression if they are smaller. */
async function compressFiles(folder) {
  const brotli = content =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    });
  const gzipBest = content => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION });
  const compressFile = async (file, ending, compress) => {
    const content = readFileSync(file);
    const compressed = await compress(content);
    if (compressed.length < content.length) writeFileSync(file + ending, compressed);
  };
  const files = filesIn(folder, '.').map(name => path.join(folder, name));
  await Promise.all(files.flatMap(file => [compressFile(file, '.br', brotli), compressFile(file, '.gz', gzipBest)]));
}

/** Moves the draft to the build folder. If another build does the same, the later one wins. */
function activateDraft(draft, folder) {
  const old = `${draft}-old`;
  for (;;) {
    try {
      renameSync(folder, old);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    try {
      renameSync(draft, folder);
      rmSync(old, { recursive: true, force: true });
      return;
    } catch (error) {
      rmSync(old, { recursive: true, force: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    }
  }
}

function removeOldDrafts(dist) {
  for (const name of readdirSync(dist).filter(entry => DRAFT.test(entry))) {
    const { mtimeMs } = statSync(path.join(dist, name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && mtimeMs < Date.now() - DRAFT_RETENTION_MS)
      rmSync(path.join(dist, name), { recursive: true, force: true });
  }
}

/**
 * Builds the dashboard if needed and returns its folder.
 *
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function buildWeb(root) {
  const folder = path.join(root, WEB_FOLDER);
  // Computed before the build: a change during the build causes another build next time.
  const digest = hashFiles(root, SOURCES);
  if (readRecord(path.join(folder, RECORD))?.digest === digest) return folder;
  if (!existsSync(path.join(root, 'web/package.json'))) throw new Error('web/package.json does not exist');
  installPackages(root);
  console.log('Hostler: building the dashboard (takes a few seconds) …');
  const dist = path.dirname(folder);
  mkdirSync(dist, { recursive: true });
  removeOldDrafts(dist);
  const draft = path.join(dist, `.web-${process.pid}`);
  try {
    // web/vite.config.ts reads the variable.
    runNpm(root, ['run', 'build'], { NODE_ENV: 'production', HOSTLER_WEB_OUT: draft });
    await compressFiles(draft);
    writeFileSync(path.join(draft, RECORD), JSON.stringify({ digest }));
    activateDraft(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildWeb(process.cwd()).catch(error => {
    console.error(`Hostler: cannot build the dashboard: ${error.message}.`);
    process.exitCode = 1;
  });
}
