// What a light host claims to be: the files that tell one system from another, on top of the base image or in place of it.

export type Identity = 'debian' | 'centos' | 'fedora-coreos' | 'minimal';

interface IdentityFiles {
  /** By path, without the slash in front. */
  readonly files: Readonly<Record<string, string>>;
  /** By path: scripts of ours, by their names. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<string, string>>;
  /** What the base image has and such a system has not. */
  readonly hidden: readonly string[];
}

const NONE: IdentityFiles = { files: {}, scripts: {}, links: {}, hidden: [] };
const APT = ['usr/bin/apt-get', 'usr/bin/apt', 'usr/bin/apt-cache', 'usr/bin/dpkg'];

/** Those that a CoreOS host may be told to deploy; it begins with the first, and upgrades to the last. */
export const COREOS_VERSIONS = ['43.20260105.3.0', '43.20260119.3.0', '43.20260202.3.0'] as const;

const COREOS_RELEASE = `NAME="Fedora Linux"
VERSION="@VERSION@ (CoreOS)"
ID=fedora
VERSION_ID=43
PRETTY_NAME="Fedora CoreOS @VERSION@"
VARIANT="CoreOS"
VARIANT_ID=coreos
OSTREE_VERSION='@VERSION@'
`;

const CENTOS_RELEASE = `NAME="CentOS Stream"
VERSION="9"
ID="centos"
ID_LIKE="rhel fedora"
VERSION_ID="9"
PLATFORM_ID="platform:el9"
PRETTY_NAME="CentOS Stream 9"
`;

/** There is nothing to install and nothing to upgrade, and all of that succeeds. */
const IDLE_DNF = '#!/bin/sh\n[ "$1" != --version ] || echo 4.14.0\nexit 0\n';

export const IDENTITIES: Readonly<Record<Identity, IdentityFiles>> = {
  debian: NONE,
  centos: {
    ...NONE,
    files: { 'usr/lib/os-release': CENTOS_RELEASE, 'usr/bin/dnf': IDLE_DNF },
    hidden: APT,
  },
  'fedora-coreos': {
    files: {
      'usr/lib/hostler-test/os-release': COREOS_RELEASE,
      'usr/lib/hostler-test/versions': `${COREOS_VERSIONS.join('\n')}\n`,
      'var/lib/hostler-test/version': `${COREOS_VERSIONS[0]}\n`,
    },
    scripts: {
      'usr/bin/rpm-ostree': 'rpm-ostree.sh',
      'usr/lib/hostler-test/at-boot': 'at-boot.sh',
      'usr/lib/hostler-test/at-shutdown': 'at-shutdown.sh',
    },
    links: { 'etc/os-release': '/run/os-release' },
    hidden: APT,
  },
  minimal: {
    ...NONE,
    files: { 'etc/os-release': 'NAME="Tiny"\nID=tiny\nVERSION_ID=1\nPRETTY_NAME="Tiny 1"\n' },
  },
};
