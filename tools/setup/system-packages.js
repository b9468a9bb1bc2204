import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The browser of the tests and of the pictures: Debian's, or the one that is named. */
export const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';

// What the tests and benches use of the system: Debian's packages, and how to see whether each is there.
// The reasons are in tools/dependencies/programs.ts.
//
// Plain JavaScript without dependencies, as install.js is.

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
  { name: 'postgresql', isInstalled: hasPostgres },
  { name: 'openssh-client', isInstalled: () => hasCommand('ssh-keygen', '-?') },
  { name: 'openssh-server', isInstalled: () => existsSync('/usr/sbin/sshd') },
  { name: 'openssl', isInstalled: () => hasCommand('openssl', 'version') },
  { name: 'busybox-static', isInstalled: () => hasCommand('busybox', 'true') },
  { name: 'etcd-server', isInstalled: () => hasCommand('etcd', '--version') },
  // For the hosts that tests start: their root file system, and the way to them.
  { name: 'mmdebstrap', isInstalled: () => hasCommand('mmdebstrap', '--version') },
  { name: 'iproute2', isInstalled: () => hasCommand('ip', '-V') },
  { name: 'e2fsprogs', isInstalled: () => hasCommand('chattr', '-V') },
  // Who reads our metrics, and promtool, which checks them and the alert rules.
  { name: 'prometheus', isInstalled: () => hasCommand('promtool', '--version') },
  { name: 'procps', isInstalled: () => hasCommand('ps', '--version') },
  // What hosts enrol themselves with, and what documents ask with.
  { name: 'curl', isInstalled: () => hasCommand('curl', '--version') },
  { name: 'python3', isInstalled: () => hasCommand('python3', '--version') },
  // A terminal that tests can look at.
  { name: 'tmux', isInstalled: () => hasCommand('tmux', '-V') },
  // A browser, and letters for it.
  { name: 'chromium', isInstalled: () => existsSync(CHROMIUM) || isUbuntu() },
  {
    name: 'fonts-dejavu-core',
    isInstalled: () => existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
  },
];

const ansible = { name: 'ansible-core', isInstalled: () => hasCommand('ansible', '--version') };

const goSources = '/usr/share/gocode/src/github.com';

/** What only the long tests use. */
export const LONG_TEST_PACKAGES = [
  // Whole systems, and their packages.
  { name: 'systemd-container', isInstalled: () => hasCommand('systemd-nspawn', '--version') },
  { name: 'rpm', isInstalled: () => hasCommand('rpmbuild', '--version') },
  { name: 'createrepo-c', isInstalled: () => hasCommand('createrepo_c', '--version') },
  { name: 'ostree', isInstalled: () => hasCommand('ostree', '--version') },
  // A swarm.
  {
    name: 'docker.io',
    isInstalled: () => hasCommand('dockerd', '--version') && hasCommand('docker', '--version'),
  },
  // Proxies in front of servers, which documents have too.
  { name: 'nginx-light', isInstalled: () => existsSync('/usr/sbin/nginx') },
  { name: 'haproxy', isInstalled: () => existsSync('/usr/sbin/haproxy') },
  // Who reads inventories.
  ansible,
  // Shells that complete commands.
  { name: 'zsh', isInstalled: () => hasCommand('zsh', '--version') },
  { name: 'fish', isInstalled: () => hasCommand('fish', '--version') },
  // What the documents type: clients of etcd and of JSON.
  { name: 'etcd-client', isInstalled: () => hasCommand('etcdctl', 'version') },
  { name: 'jq', isInstalled: () => hasCommand('jq', '--version') },
  // What Kubernetes is built with.
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

/** What Hostler is compared with. */
export const BENCH_PACKAGES = [
  ansible,
  { name: 'clustershell', isInstalled: () => hasCommand('clush', '--version') },
];
