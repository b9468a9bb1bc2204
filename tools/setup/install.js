// Installs and builds what this checkout needs and does not have yet, so that `npm start` and `npm test` are the only commands to know.
//
//   node tools/setup/install.js           what the service runs on
//   node tools/setup/install.js --dev     that, and the tools of development
//   node tools/setup/install.js --tests   that, and what the tests use (PostgreSQL too, where we may install it)
//   node tools/setup/install.js --all     that, and what only the long tests use
//   node tools/setup/install.js --bench   as --tests, and what Hostler is compared with
//
// Plain JavaScript without dependencies: it is the first thing to run, on whatever Node the machine has.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BENCH_PACKAGES, hasCommand, LONG_TEST_PACKAGES, TEST_PACKAGES } from './system-packages.js';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const stampFile = path.join(root, 'node_modules/.hostler-installed.json');
const forBench = process.argv.includes('--bench');
const forLongTests = process.argv.includes('--all');
const forTests = forBench || forLongTests || process.argv.includes('--tests');
const withDev = forTests || process.argv.includes('--dev');

const lockDigest = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');

function installedStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return undefined;
  }
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) return error.message;
  return status === 0 ? undefined : `exit status ${status}`;
}

/** An npm before 11 may leave out the link to our Node, since packages for other processors have one of the same name. */
function linkNode() {
  if (existsSync(path.join(root, 'node_modules/.bin/node'))) return undefined;
  return run('npm', ['rebuild', '--ignore-scripts', '--loglevel=error'], { stdio: 'ignore' });
}

function installPackages() {
  const stamp = installedStamp();
  if (stamp?.lock === lockDigest && (stamp.dev || !withDev)) return;
  console.log('Hostler: installing packages (only once, takes a few seconds) …');
  // No package needs its scripts here. An npm before 11 does not know `allowScripts`, and would want Python and a compiler.
  const args = [
    'ci',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // Of an `npm pack --dry-run`, which has us called.
    '--dry-run=false',
  ];
  const failure = run('npm', withDev ? [...args, '--include=dev'] : [...args, '--omit=dev']) ?? linkNode();
  if (failure) {
    console.error(
      `Hostler: "npm ci" failed: ${failure}. See its output above, fix the cause, then try again.`,
    );
    process.exit(1);
  }
  writeFileSync(stampFile, JSON.stringify({ lock: lockDigest, dev: withDev }));
}

/** apt asks it before a package starts its daemons: the tests start what they need themselves. */
const policyFile = '/usr/sbin/policy-rc.d';

/** Installs while no package may start a daemon. A policy of the machine's own is left as it is. */
function withDaemonsDisabled(install) {
  if (existsSync(policyFile)) return install();
  writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return install();
  } finally {
    rmSync(policyFile, { force: true });
  }
}

// Only root on a system with apt can install them. Elsewhere the tests that need one say so.
function installSystemPackages() {
  const packages = [
    ...TEST_PACKAGES,
    ...(forLongTests ? LONG_TEST_PACKAGES : []),
    ...(forBench ? BENCH_PACKAGES : []),
  ];
  const missing = packages.filter(({ isInstalled }) => !isInstalled()).map(({ name }) => name);
  if (missing.length === 0 || process.getuid?.() !== 0 || !hasCommand('apt-get', '--version')) return;
  console.log(`Hostler: installing ${missing.join(', ')} for the tests (only once) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const failure =
    run('apt-get', ['update', '-qq'], { env }) ??
    withDaemonsDisabled(() =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env }),
    );
  if (failure) console.error(`Hostler: cannot install ${missing.join(', ')}: ${failure}.`);
}

/** Without it the client starts from its sources, which takes longer and is all the same otherwise. */
async function buildBundle() {
  try {
    const { buildCli } = await import('../build/cli.js');
    await buildCli(root);
  } catch (error) {
    console.error(
      `Hostler: cannot build the command-line client bundle, so commands start more slowly: ${error.message}`,
    );
  }
}

/** Without it the service starts all the same, with the dashboard of before or with none. */
async function buildDashboard() {
  try {
    const { buildWeb } = await import('../build/web.js');
    await buildWeb(root);
  } catch (error) {
    console.error(
      `Hostler: cannot build the dashboard, so the server uses the previous build, if there is one: ${error.message}`,
    );
  }
}

// A package that was cut off while it was made has left it, and npm would take it for the lockfile.
rmSync(path.join(root, 'npm-shrinkwrap.json'), { force: true });
installPackages();
await buildBundle();
await buildDashboard();
if (forTests) installSystemPackages();
