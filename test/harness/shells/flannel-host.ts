// A tiny host on which flanneld and systemd are pretended: what scripts write is there for real, and services "run" by a mark.

import type { FixtureHost } from '../../../src/drivers/network/conformance.ts';
import type { TinyRoot } from './tiny-root.ts';
import { inTinyRoot } from './tiny-root.ts';

const UNIT = '/etc/systemd/system/hostler-flanneld.service';
const WANTED = '/etc/systemd/system/multi-user.target.wants/hostler-flanneld.service';

/**
 * As far as it is needed: it starts what the unit says with the variables of its file, and remembers that it runs. It takes in no new unit
 * while `/pretend/fault` is there.
 */
const SYSTEMCTL = `start() {
  echo started >>/pretend/starts
  while IFS='=' read -r name value; do
    case $name in EnvironmentFile) variables=$value ;; ExecStart) program=$value ;; esac
  done <${UNIT}
  (set -a; . "$variables"; "$program") && : >/pretend/running
}
case $1 in
  is-active)
    [ "$2" = --quiet ] && { [ -e "/pretend/foreign-$3" ]; exit; }
    if [ -e /pretend/running ]; then echo active; else echo inactive; exit 3; fi ;;
  enable) : >${WANTED} ;;
  start) [ -e /pretend/running ] || start ;;
  restart) rm -f /pretend/running; start ;;
  disable) rm -f ${WANTED} /pretend/running ;;
  daemon-reload) [ ! -e /pretend/fault ] ;;
  reset-failed) exit 1 ;;
  *) echo "unknown: $*" >&2; exit 64 ;;
esac`;

/** The network that it has its subnet from. */
export const FLANNEL_NETWORK = '10.1.0.0/16';

const flanneld = (help: string) => `if [ "$1" = --help ]; then echo '${help}' >&2; exit 2; fi
env | grep ^FLANNELD_ >/pretend/variables
mkdir -p /run/flannel
printf 'FLANNEL_NETWORK=${FLANNEL_NETWORK}\\nFLANNEL_SUBNET=10.1.5.1/24\\n' >/run/flannel/subnet.env`;

/** Says what it has, and takes away. */
const IP = `case $* in
  *'route show'*) printf '10.1.5.0/24 dev docker0 scope link\\n10.1.7.0/24 via 127.0.0.2 dev eth0\\n10.1.128.0/20 via 127.0.0.3 dev eth0\\n' ;;
  *'address show to 127.'*) echo '2: eth0 inet 127.0.0.1/8' ;;
esac`;

export interface FlannelHostOptions {
  /** What flanneld prints when it is asked for help. */
  readonly help?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  /** Whose programs. Default: those of busybox. */
  readonly of?: 'busybox' | 'this machine';
  readonly without?: readonly string[];
}

export function inFlannelRoot<T>(options: FlannelHostOptions, use: (root: TinyRoot) => T): T {
  const {
    help = '  -etcd-prefix string',
    files = {},
    links = {},
    of = 'this machine',
    without = [],
  } = options;
  const tools = { systemctl: SYSTEMCTL, flanneld: flanneld(help), journalctl: 'echo "it is said"', ip: IP };
  return inTinyRoot(
    {
      of,
      isOffline: true,
      programs: ['cat', 'mkdir', 'mv', 'chmod', 'rmdir', 'grep'],
      links,
      files: { '/pretend/starts': '', '/etc/hostname': 'host', ...files },
      folders: ['/etc/systemd/system/multi-user.target.wants', '/run'],
      tools: Object.fromEntries(Object.entries(tools).filter(([name]) => !without.includes(name))),
    },
    use,
  );
}

const PRETENDED = /^\/pretend(\/|$)/;

/** For the conformance suite. */
export const onFlannelHost =
  (options: FlannelHostOptions = {}) =>
  (use: (host: FixtureHost) => void): void =>
    inFlannelRoot(options, root => {
      const tree = () =>
        Object.fromEntries(Object.entries(root.tree()).filter(([name]) => !PRETENDED.test(name)));
      const starts = () => root.tree()['/pretend/starts']?.match(/started/g)?.length ?? 0;
      use({ run: root.run, tree, starts });
    });
