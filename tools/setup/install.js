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
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CHROMIUM } from './chromium.js';

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
  return status === 0 ? undefined : `it ended with status ${status}`;
}

/** An npm before 11 may leave out the link to our Node, since packages for other processors have one of the same name. */
function linkNode() {
  if (existsSync(path.join(root, 'node_modules/.bin/node'))) return undefined;
  return run('npm', ['rebuild', '--ignore-scripts', '--loglevel=error'], { stdio: 'ignore' });
}

function installPackages() {
  const stamp = installedStamp();
  if (stamp?.lock === lockDigest && (stamp.dev || !withDev)) return;
  console.log('Hostler: installing packages (once; this takes a few seconds) …');
  // No package needs its scripts here. An npm before 11 does not know `allowScripts`, and would want Python and a compiler.
  const args = [
    'ci',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const problem = run('npm', withDev ? [...args, '--include=dev'] : [...args, '--omit=dev']) ?? linkNode();
  if (problem) {
    console.error(`Hostler: "npm ci" did not succeed: ${problem}. Read its output above, then try again.`);
    process.exit(1);
  }
  writeFileSync(stampFile, JSON.stringify({ lock: lockDigest, dev: withDev }));
}

const hasPostgres = () => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  if (versions.some(version => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`))) return true;
  return spawnSync('initdb', ['--version']).status === 0;
};

const hasCommand = (command, ...args) => spawnSync(command, args).error === undefined;

/** Its package of this name only asks for a snap. */
const isUbuntu = () => {
  const about = '/etc/os-release';
  return existsSync(about) && /^ID=ubuntu$/m.test(readFileSync(about, 'utf8'));
};

/** What the tests use of the system: Debian's package, and whether it is there. */
const systemPackages = [
  { name: 'postgresql', isThere: hasPostgres },
  { name: 'openssh-client', isThere: () => hasCommand('ssh-keygen', '-?') },
  { name: 'openssh-server', isThere: () => existsSync('/usr/sbin/sshd') },
  { name: 'openssl', isThere: () => hasCommand('openssl', 'version') },
  { name: 'busybox-static', isThere: () => hasCommand('busybox', 'true') },
  { name: 'etcd-server', isThere: () => hasCommand('etcd', '--version') },
  // For the hosts that tests start: their root file system, and the way to them.
  { name: 'mmdebstrap', isThere: () => hasCommand('mmdebstrap', '--version') },
  { name: 'iproute2', isThere: () => hasCommand('ip', '-V') },
  { name: 'e2fsprogs', isThere: () => hasCommand('chattr', '-V') },
  // Who reads our metrics, and promtool, which checks them and the alert rules.
  { name: 'prometheus', isThere: () => hasCommand('promtool', '--version') },
  { name: 'procps', isThere: () => hasCommand('ps', '--version') },
  // What hosts enrol themselves with, and what documents ask with.
  { name: 'curl', isThere: () => hasCommand('curl', '--version') },
  { name: 'python3', isThere: () => hasCommand('python3', '--version') },
  // A terminal that tests can look at.
  { name: 'tmux', isThere: () => hasCommand('tmux', '-V') },
  // A browser, and letters for it.
  { name: 'chromium', isThere: () => existsSync(CHROMIUM) || isUbuntu() },
  {
    name: 'fonts-dejavu-core',
    isThere: () => existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
  },
];

const ansible = { name: 'ansible-core', isThere: () => hasCommand('ansible', '--version') };

const goSources = '/usr/share/gocode/src/github.com';

/** The same for the long tests. */
const longPackages = [
  // Whole systems, and their packages.
  { name: 'systemd-container', isThere: () => hasCommand('systemd-nspawn', '--version') },
  { name: 'rpm', isThere: () => hasCommand('rpmbuild', '--version') },
  { name: 'createrepo-c', isThere: () => hasCommand('createrepo_c', '--version') },
  { name: 'ostree', isThere: () => hasCommand('ostree', '--version') },
  // A swarm.
  {
    name: 'docker.io',
    isThere: () => hasCommand('dockerd', '--version') && hasCommand('docker', '--version'),
  },
  // Proxies in front of servers.
  { name: 'nginx-light', isThere: () => existsSync('/usr/sbin/nginx') },
  { name: 'haproxy', isThere: () => existsSync('/usr/sbin/haproxy') },
  // Who reads inventories.
  ansible,
  // Shells that complete commands.
  { name: 'zsh', isThere: () => hasCommand('zsh', '--version') },
  { name: 'fish', isThere: () => hasCommand('fish', '--version') },
  // What the documents type: proxies, and clients of etcd and of JSON.
  { name: 'etcd-client', isThere: () => hasCommand('etcdctl', 'version') },
  { name: 'nginx-light', isThere: () => existsSync('/usr/sbin/nginx') },
  { name: 'haproxy', isThere: () => existsSync('/usr/sbin/haproxy') },
  { name: 'jq', isThere: () => hasCommand('jq', '--version') },
  // What Kubernetes is built with.
  { name: 'golang-go', isThere: () => hasCommand('go', 'version') },
  {
    name: 'golang-github-modern-go-reflect2-dev',
    isThere: () => existsSync(`${goSources}/modern-go/reflect2`),
  },
  {
    name: 'golang-github-json-iterator-go-dev',
    isThere: () => existsSync(`${goSources}/json-iterator/go`),
  },
];

const benchPackages = [ansible, { name: 'clustershell', isThere: () => hasCommand('clush', '--version') }];

/** apt asks it before a package starts its daemons: the tests start what they need themselves. */
const policyFile = '/usr/sbin/policy-rc.d';

/** Installs while no package may start a daemon. A policy of the machine's own is left as it is. */
function withoutDaemons(install) {
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
  const wanted = [
    ...systemPackages,
    ...(forLongTests ? longPackages : []),
    ...(forBench ? benchPackages : []),
  ];
  const missing = wanted.filter(({ isThere }) => !isThere()).map(({ name }) => name);
  if (missing.length === 0 || process.getuid?.() !== 0 || !hasCommand('apt-get', '--version')) return;
  console.log(`Hostler: installing ${missing.join(', ')} for the tests (once) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const problem =
    run('apt-get', ['update', '-qq'], { env }) ??
    withoutDaemons(() =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], { env }),
    );
  if (problem) console.error(`Hostler: ${missing.join(', ')} could not be installed: ${problem}.`);
}

/** Without it the client starts from its sources, which takes longer and is all the same otherwise. */
async function buildBundle() {
  try {
    const { buildClient } = await import('../build/client.js');
    await buildClient(root);
  } catch (error) {
    console.error(
      `Hostler: the bundle of the client could not be made, so it starts slower: ${error.message}`,
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
      `Hostler: the dashboard could not be built, so the newest that was is served, if any: ${error.message}`,
    );
  }
}

// A package that was cut off while it was made has left it, and npm would take it for the lockfile.
rmSync(path.join(root, 'npm-shrinkwrap.json'), { force: true });
installPackages();
await buildBundle();
await buildDashboard();
if (forTests) installSystemPackages();
