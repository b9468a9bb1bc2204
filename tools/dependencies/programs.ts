// Programs of the system: those that Hostler runs, and Debian's packages that its tests install.

export interface Program {
  readonly name: string;
  /** What of us runs it. */
  readonly by: string;
  readonly without: string;
}

export const RUN_BY_HOSTLER: readonly Program[] = [
  {
    name: 'ssh',
    by: 'the transport `openssh`, `hostler host ssh`, `hostler doctor`',
    without: 'the transport `ssh` needs no program',
  },
  { name: 'ssh-agent', by: '`hostler host ssh`, for the time of a login', without: 'the command says so' },
  { name: 'ssh-add', by: '`hostler host ssh`, for the time of a login', without: 'the command says so' },
  {
    name: 'systemd-notify',
    by: '`hostler serve` under systemd, to say that it is ready',
    without: 'the log says so; the unit in `contrib/` waits for it',
  },
  {
    name: 'timedatectl',
    by: '`hostler doctor`, to ask whether the clock is kept',
    without: 'the doctor says that it cannot know',
  },
];

/** By Debian's name, why tests want it. */
export const INSTALLED_FOR_TESTS: Readonly<Record<string, string>> = {
  postgresql: 'the store that servers share',
  'openssh-client': 'keys, the transport `openssh`, logins',
  'openssh-server': 'hosts to log in to',
  openssl: 'certificates that are wrong in all ways',
  'busybox-static': 'hosts that have hardly anything',
  'etcd-server': 'a real etcd for networks and host sources',
  mmdebstrap: 'the root file systems of hosts',
  iproute2: 'networks of their own for hosts',
  e2fsprogs: 'files that not even root can write',
  procps: 'who still runs',
  curl: 'what hosts enrol themselves with, and what documents ask with',
  python3: 'receivers and scripts that are not in our language',
  tmux: 'a terminal that tests can look at',
  chromium: 'a browser for the dashboard',
  'fonts-dejavu-core': 'letters for it',
  prometheus: 'checks of the alert rules, and one that reads the metrics',
  jq: 'what documents ask of answers in JSON (long tests)',
  'nginx-light': 'a proxy in front (long tests)',
  haproxy: 'another (long tests)',
  'systemd-container': 'whole systems as hosts (long tests)',
  rpm: 'packages of systems that are not Debian (long tests)',
  'createrepo-c': 'their archives (long tests)',
  ostree: 'systems that are replaced as a whole (long tests)',
  'docker.io': 'a real swarm (long tests)',
  'ansible-core': 'reads our inventory (long tests); what Hostler is compared with (benches)',
  'etcd-client': 'the commands of the documents about etcd (long tests)',
  zsh: 'its completion (long tests)',
  fish: 'its completion (long tests)',
  'golang-go': 'builds a real kube-apiserver (long tests)',
  'golang-github-modern-go-reflect2-dev': 'goes into it (long tests)',
  'golang-github-json-iterator-go-dev': 'goes into it (long tests)',
  clustershell: 'what Hostler is compared with (benches)',
};
