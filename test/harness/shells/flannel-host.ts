// A minimal root with fake flanneld and systemctl: scripts write real files, and a marker file represents a
// running service.

import type { FixtureHost } from '../../conformance/network.ts';
import type { MinimalRoot } from './minimal-root.ts';
import { inMinimalRoot } from './minimal-root.ts';

const UNIT = '/etc/systemd/system/hostler-flanneld.service';
const WANTS_LINK = '/etc/systemd/system/multi-user.target.wants/hostler-flanneld.service';

/**
 * Runs the program of the unit with its environment file and records that it runs. Rejects new units while
 * `/fake/fault` exists.
 */
const SYSTEMCTL = `start() {
  echo started >>/fake/starts
  while IFS='=' read -r name value; do
    case $name in EnvironmentFile) variables=$value ;; ExecStart) program=$value ;; esac
  done <${UNIT}
  (set -a; . "$variables"; "$program") && : >/fake/running
}
case $1 in
  is-active)
    [ "$2" = --quiet ] && { [ -e "/fake/foreign-$3" ]; exit; }
    if [ -e /fake/running ]; then echo active; else echo inactive; exit 3; fi ;;
  enable) : >${WANTS_LINK} ;;
  start) [ -e /fake/running ] || start ;;
  restart) rm -f /fake/running; start ;;
  disable) rm -f ${WANTS_LINK} /fake/running ;;
  daemon-reload) [ ! -e /fake/fault ] ;;
  reset-failed) exit 1 ;;
  *) echo "unknown: $*" >&2; exit 64 ;;
esac`;

/** The network of the subnet. */
export const FLANNEL_NETWORK = '10.1.0.0/16';

const flanneld = (help: string) => `if [ "$1" = --help ]; then echo '${help}' >&2; exit 2; fi
env | grep ^FLANNELD_ >/fake/variables
mkdir -p /run/flannel
printf 'FLANNEL_NETWORK=${FLANNEL_NETWORK}\\nFLANNEL_SUBNET=10.1.5.1/24\\n' >/run/flannel/subnet.env`;

/** Prints routes and addresses. */
const IP = `case $* in
  *'route show'*) printf '10.1.5.0/24 dev docker0 scope link\\n10.1.7.0/24 via 127.0.0.2 dev eth0\\n10.1.128.0/20 via 127.0.0.3 dev eth0\\n' ;;
  *'address show to 127.'*) echo '2: eth0 inet 127.0.0.1/8' ;;
esac`;

export interface FlannelHostOptions {
  /** Output of `flanneld --help`. */
  readonly help?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  /** Source of the programs. Default: this machine. */
  readonly programsFrom?: 'busybox' | 'this machine';
  readonly missingTools?: readonly string[];
}

export function inFlannelRoot<T>(options: FlannelHostOptions, use: (root: MinimalRoot) => T): T {
  const {
    help = '  -etcd-prefix string',
    files = {},
    links = {},
    programsFrom = 'this machine',
    missingTools = [],
  } = options;
  const tools = { systemctl: SYSTEMCTL, flanneld: flanneld(help), journalctl: 'echo "journal line"', ip: IP };
  return inMinimalRoot(
    {
      programsFrom,
      isOffline: true,
      programs: ['cat', 'mkdir', 'mv', 'chmod', 'rmdir', 'grep'],
      links,
      files: { '/fake/starts': '', '/etc/hostname': 'host', ...files },
      folders: ['/etc/systemd/system/multi-user.target.wants', '/run'],
      tools: Object.fromEntries(Object.entries(tools).filter(([name]) => !missingTools.includes(name))),
    },
    use,
  );
}

const FAKE_FILES = /^\/fake(\/|$)/;

/** For the conformance suite. */
export const onFlannelHost =
  (options: FlannelHostOptions = {}) =>
  (use: (host: FixtureHost) => void): void =>
    inFlannelRoot(options, root => {
      const tree = () => Object.fromEntries(Object.entries(root.tree()).filter(([name]) => !FAKE_FILES.test(name)));
      const starts = () => root.tree()['/fake/starts']?.match(/started/g)?.length ?? 0;
      use({ run: root.run, tree, starts });
    });
