// Programs of the system: those that Hostler runs, and Debian's packages that its tests install.

export interface SystemProgram {
  readonly name: string;
  /** The parts of Hostler that run it. */
  readonly usedBy: string;
  readonly ifMissing: string;
}

export const RUN_BY_HOSTLER: readonly SystemProgram[] = [
  {
    name: 'ssh',
    usedBy: 'the transport `openssh`, `hostler host ssh`, `hostler doctor`',
    ifMissing: 'the transport `ssh` needs no program',
  },
  {
    name: 'ssh-agent',
    usedBy: '`hostler host ssh`, during a login',
    ifMissing: 'the command fails with an error',
  },
  {
    name: 'ssh-add',
    usedBy: '`hostler host ssh`, during a login',
    ifMissing: 'the command fails with an error',
  },
  {
    name: 'systemd-notify',
    usedBy: '`hostler serve` under systemd, to report that it is ready',
    ifMissing: 'the server logs a warning; the unit in `contrib/` waits for the report until its timeout',
  },
  {
    name: 'timedatectl',
    usedBy: '`hostler doctor`, to check whether the clock is synchronized',
    ifMissing: 'the check reports only the time',
  },
];

/** By Debian package name: what the tests use it for. */
export const INSTALLED_FOR_TESTS: Readonly<Record<string, string>> = {
  postgresql: 'the shared store',
  'openssh-client': 'keys, the transport `openssh`, logins',
  'openssh-server': 'hosts to log in to',
  openssl: 'invalid certificates',
  'busybox-static': 'minimal hosts',
  'etcd-server': 'a real etcd for networks and host sources',
  mmdebstrap: 'root file systems of hosts',
  iproute2: 'networks of hosts',
  e2fsprogs: 'files that even root cannot write',
  procps: 'running processes',
  curl: 'self-enrolment of hosts, and commands of the documents',
  python3: 'webhook receivers and scripts in Python',
  tmux: 'a terminal for tests',
  'chromium-headless-shell': 'a browser for the dashboard',
  'fonts-dejavu-core': 'fonts for the browser',
  prometheus: 'checks of the alert rules, and a Prometheus that scrapes the metrics',
  jq: 'commands of the documents that read JSON (long tests)',
  'nginx-light': 'reverse proxy (long tests)',
  haproxy: 'reverse proxy (long tests)',
  'systemd-container': 'complete systems as hosts (long tests)',
  rpm: 'RPM packages (long tests)',
  'createrepo-c': 'RPM repositories (long tests)',
  ostree: 'image-based systems (long tests)',
  'docker.io': 'a Docker Swarm (long tests)',
  'ansible-core': 'the Ansible inventory (long tests); comparison (benchmarks)',
  'etcd-client': 'commands of the documents about etcd (long tests)',
  zsh: 'shell completion (long tests)',
  fish: 'shell completion (long tests)',
  'golang-go': 'builds a real kube-apiserver (long tests)',
  'golang-github-modern-go-reflect2-dev': 'dependency of kube-apiserver (long tests)',
  'golang-github-json-iterator-go-dev': 'dependency of kube-apiserver (long tests)',
  clustershell: 'comparison (benchmarks)',
};
