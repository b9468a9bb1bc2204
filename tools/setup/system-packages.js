// Debian packages for tests and benchmarks. tools/dependencies/programs.ts contains their purposes.
//
// Plain JavaScript without dependencies, like install.js.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The browser for tests and screenshots. Without a user interface, it uses half of the CPU time of `chromium`. */
export const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium-headless-shell';

const hasPostgres = () => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  if (versions.some(version => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`))) return true;
  return spawnSync('initdb', ['--version']).status === 0;
};

export const hasCommand = (command, ...args) => spawnSync(command, args).error === undefined;

/** Ubuntu has no such package, and its package chromium only installs a snap. */
const isUbuntu = () => {
  const about = '/etc/os-release';
  return existsSync(about) && /^ID=ubuntu$/m.test(readFileSync(about, 'utf8'));
};

/** For `npm test`. */
export const TEST_PACKAGES = [
  { name: 'postgresql', isInstalled: hasPostgres },
  { name: 'openssh-client', isInstalled: () => hasCommand('ssh-keygen', '-?') },
  { name: 'openssh-server', isInstalled: () => existsSync('/usr/sbin/sshd') },
  { name: 'openssl', isInstalled: () => hasCommand('openssl', 'version') },
  { name: 'busybox-static', isInstalled: () => hasCommand('busybox', 'true') },
  { name: 'etcd-server', isInstalled: () => hasCommand('etcd', '--version') },
  // Root file systems and networks of test hosts.
  { name: 'mmdebstrap', isInstalled: () => hasCommand('mmdebstrap', '--version') },
  { name: 'iproute2', isInstalled: () => hasCommand('ip', '-V') },
  { name: 'e2fsprogs', isInstalled: () => hasCommand('chattr', '-V') },
  // A Prometheus server that scrapes the metrics, and promtool.
  { name: 'prometheus', isInstalled: () => hasCommand('promtool', '--version') },
  { name: 'procps', isInstalled: () => hasCommand('ps', '--version') },
  // For self-enrolment and for commands in the documentation.
  { name: 'curl', isInstalled: () => hasCommand('curl', '--version') },
  { name: 'python3', isInstalled: () => hasCommand('python3', '--version') },
  // A terminal whose screen tests can read.
  { name: 'tmux', isInstalled: () => hasCommand('tmux', '-V') },
  // A browser and its fonts.
  { name: 'chromium-headless-shell', isInstalled: () => existsSync(CHROMIUM) || isUbuntu() },
  {
    name: 'fonts-dejavu-core',
    isInstalled: () => existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
  },
];

const ansible = { name: 'ansible-core', isInstalled: () => hasCommand('ansible', '--version') };

const goSources = '/usr/share/gocode/src/github.com';

/** For the long tests only. */
export const LONG_TEST_PACKAGES = [
  // Complete systems as hosts, and their packages.
  { name: 'systemd-container', isInstalled: () => hasCommand('systemd-nspawn', '--version') },
  { name: 'rpm', isInstalled: () => hasCommand('rpmbuild', '--version') },
  { name: 'createrepo-c', isInstalled: () => hasCommand('createrepo_c', '--version') },
  { name: 'ostree', isInstalled: () => hasCommand('ostree', '--version') },
  // Docker Swarm.
  {
    name: 'docker.io',
    isInstalled: () => hasCommand('dockerd', '--version') && hasCommand('docker', '--version'),
  },
  // Reverse proxies.
  { name: 'nginx-light', isInstalled: () => existsSync('/usr/sbin/nginx') },
  { name: 'haproxy', isInstalled: () => existsSync('/usr/sbin/haproxy') },
  // Reads the inventory.
  ansible,
  // Shell completion.
  { name: 'zsh', isInstalled: () => hasCommand('zsh', '--version') },
  { name: 'fish', isInstalled: () => hasCommand('fish', '--version') },
  // Commands in the documentation.
  { name: 'etcd-client', isInstalled: () => hasCommand('etcdctl', 'version') },
  { name: 'jq', isInstalled: () => hasCommand('jq', '--version') },
  // Builds Kubernetes.
  { name: 'golang-go', isInstalled: () => hasCommand('go', 'version') },
  {
    name: 'golang-github-modern-go-reflect2-dev',
    isInstalled: () => existsSync(`${goSources}/modern-go/reflect2`),
  },
  {
    name: 'golang-github-json-iterator-go-dev',
    isInstalled: () => existsSync(`${goSources}/json-iterator/go`),
  },
];

/** Tools that the benchmarks compare with. */
export const BENCH_PACKAGES = [ansible, { name: 'clustershell', isInstalled: () => hasCommand('clush', '--version') }];
