// Installs and builds everything that this checkout needs, so that `npm start` and `npm test` are the only
// commands to know.
//
//     node tools/setup/install.js           runtime dependencies
//     node tools/setup/install.js --dev     and development tools
//     node tools/setup/install.js --tests   and programs for the tests (also PostgreSQL, if it may be installed)
//     node tools/setup/install.js --all     and programs for the long tests
//     node tools/setup/install.js --bench   as --tests, and the tools that the benchmarks compare with
//
// Plain JavaScript without dependencies: it runs first, with any Node version of the machine.

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

/**
 * npm before version 11 can omit the link to our Node, because packages for other processors have a link of
 * the same name.
 */
function linkNode() {
  if (existsSync(path.join(root, 'node_modules/.bin/node'))) return undefined;
  return run('npm', ['rebuild', '--ignore-scripts', '--loglevel=error'], { stdio: 'ignore' });
}

function installPackages() {
  const stamp = installedStamp();
  if (stamp?.lock === lockDigest && (stamp.dev || !withDev)) return;
  console.log('Hostler: installing packages (only once, takes a few seconds) …');
  // No package needs its install scripts here. npm before version 11 does not support `allowScripts` and
  // would need Python and a compiler.
  const args = [
    'ci',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    // `npm pack --dry-run` runs this script and passes its option on.
    '--dry-run=false',
  ];
  const failure = run('npm', withDev ? [...args, '--include=dev'] : [...args, '--omit=dev']) ?? linkNode();
  if (failure) {
    console.error(`Hostler: "npm ci" failed: ${failure}. See its output above, fix the cause, then try again.`);
    process.exit(1);
  }
  writeFileSync(stampFile, JSON.stringify({ lock: lockDigest, dev: withDev }));
}

/** apt consults this file before a package starts a daemon. The tests start the daemons that they need. */
const policyFile = '/usr/sbin/policy-rc.d';

/** Prevents packages from starting daemons during the installation. Keeps an existing policy of the machine. */
function withDaemonsDisabled(install) {
  if (existsSync(policyFile)) return install();
  writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return install();
  } finally {
    rmSync(policyFile, { force: true });
  }
}

// Only root on a system with apt can install packages. Otherwise the tests that need one are skipped with a message.
function installSystemPackages() {
  const packages = [...TEST_PACKAGES, ...(forLongTests ? LONG_TEST_PACKAGES : []), ...(forBench ? BENCH_PACKAGES : [])];
  const missing = packages.filter(({ isInstalled }) => !isInstalled()).map(({ name }) => name);
  if (missing.length === 0 || process.getuid?.() !== 0 || !hasCommand('apt-get', '--version')) return;
  console.log(`Hostler: installing ${missing.join(', ')} for the tests (only once) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const failure =
    run('apt-get', ['update', '-qq'], { env }) ??
    withDaemonsDisabled(() => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env }));
  if (failure) console.error(`Hostler: cannot install ${missing.join(', ')}: ${failure}.`);
}

/** Generators of API clients, which one long test uses. Their own folder keeps them out of the other installations. */
function installOpenApiTools() {
  const folder = path.join(root, 'tools/openapi');
  const stamp = path.join(folder, 'node_modules/.hostler-installed.json');
  const lock = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && JSON.parse(readFileSync(stamp, 'utf8')).lock === lock) return;
  console.log('Hostler: installing generators of API clients for the tests (only once) …');
  const failure = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
  });
  if (failure) console.error(`Hostler: cannot install the generators of API clients: ${failure}.`);
  else writeFileSync(stamp, JSON.stringify({ lock }));
}

/** Without the bundle the CLI runs from its sources, which is slower. */
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

/** Without the build the server starts with the previous dashboard, or without one. */
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

// An interrupted `npm pack` leaves this file behind, and npm would use it as the lockfile.
rmSync(path.join(root, 'npm-shrinkwrap.json'), { force: true });
installPackages();
await buildBundle();
await buildDashboard();
if (forTests) installSystemPackages();
if (forLongTests) installOpenApiTools();
