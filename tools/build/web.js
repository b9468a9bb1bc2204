// Builds the dashboard of `web/` into `dist/web`, unless there is a build of the same sources:
//
//   node tools/build/web.js
//
// What must hold: whoever reads `dist/web` meanwhile finds one build or the other, whole. So a build is made in a folder of its own, and
// takes its place by its name (`src/http/dashboard/dashboard-files.ts` looks again when it happens just then).
//
// Plain JavaScript without dependencies, like `tools/setup/install.js`, which calls it.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const WEB_FOLDER = 'dist/web';
const RECORD = 'built.json';
/** What the dashboard is made from: its own package, what it may import, the packages of these, and how it is built. */
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
/** A draft that is older was left by a build that was killed. */
const DRAFT_RETENTION_MS = 3_600_000;

/** @returns {string[]} */
function filesIn(root, name) {
  const stats = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [name] : [];
  return readdirSync(path.join(root, name))
    .filter(each => each !== 'node_modules')
    .sort()
    .flatMap(each => filesIn(root, `${name}/${each}`));
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

/** Runs npm in `web/` on the Node of this checkout. What it says is told only when it fails. */
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

/** Gives each file neighbours that are compressed as far as it goes, where that makes it smaller. */
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
  await Promise.all(
    files.flatMap(file => [compressFile(file, '.br', brotli), compressFile(file, '.gz', gzipBest)]),
  );
}

/** Puts a draft where the build is to be. Another build may do the same: the later one stays. */
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
  for (const name of readdirSync(dist).filter(each => DRAFT.test(each))) {
    const { mtimeMs } = statSync(path.join(dist, name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && mtimeMs < Date.now() - DRAFT_RETENTION_MS)
      rmSync(path.join(dist, name), { recursive: true, force: true });
  }
}

/**
 * Builds it if that is needed; answers the folder.
 *
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function buildWeb(root) {
  const folder = path.join(root, WEB_FOLDER);
  // Taken before the build: what is changed meanwhile is built the next time.
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
    // The variable is read by web/vite.config.ts.
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
