// What the tests and benches use of the system: Debian's packages, and how to see whether each is there.
// The reasons are in tools/dependencies/programs.ts.
//
// Plain JavaScript without dependencies, as install.js is.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { CHROMIUM } from './chromium.js';

const hasPostgres = () => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  if (versions.some(version => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`))) return true;
  return spawnSync('initdb', ['--version']).status === 0;
};

/** Whether a program can be run. */
export const hasCommand = (command, ...args) => spawnSync(command, args).error === undefined;

/** Its package of this name only asks for a snap. */
const isUbuntu = () => {
  const about = '/etc/os-release';
  return existsSync(about) && /^ID=ubuntu$/m.test(readFileSync(about, 'utf8'));
};

/** What `npm test` uses. */
export const TEST_PACKAGES = [
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

/** What only the long tests use. */
export const LONG_TEST_PACKAGES = [
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
  // Proxies in front of servers, which documents have too.
  { name: 'nginx-light', isThere: () => existsSync('/usr/sbin/nginx') },
  { name: 'haproxy', isThere: () => existsSync('/usr/sbin/haproxy') },
  // Who reads inventories.
  ansible,
  // Shells that complete commands.
  { name: 'zsh', isThere: () => hasCommand('zsh', '--version') },
  { name: 'fish', isThere: () => hasCommand('fish', '--version') },
  // What the documents type: clients of etcd and of JSON.
  { name: 'etcd-client', isThere: () => hasCommand('etcdctl', 'version') },
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

/** What Hostler is compared with. */
export const BENCH_PACKAGES = [
  ansible,
  { name: 'clustershell', isThere: () => hasCommand('clush', '--version') },
];
