import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../programs/run-tool.ts';
import { baseImage } from './base-image.ts';
import { minimalImage } from './minimal-image.ts';
import { runFolder } from './run-folder.ts';

// Operating system identities of light hosts: files on top of the base image, or instead of it.

export type Identity = 'debian' | 'centos' | 'fedora-coreos' | 'minimal';

interface IdentityFiles {
  /** Path without the leading slash. */
  readonly files: Readonly<Record<string, string>>;
  /** Script file names by path. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<string, string>>;
  /** Files of the base image to hide. */
  readonly hidden: readonly string[];
}

const NONE: IdentityFiles = { files: {}, scripts: {}, links: {}, hidden: [] };
const APT = ['usr/bin/apt-get', 'usr/bin/apt', 'usr/bin/apt-cache', 'usr/bin/dpkg'];

/** Deployable versions. A CoreOS host starts with the first and upgrades to the last. */
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

/** Every dnf command succeeds without changes. */
const IDLE_DNF = '#!/bin/sh\n[ "$1" != --version ] || echo 4.14.0\nexit 0\n';

const IDENTITIES: Readonly<Record<Identity, IdentityFiles>> = {
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

const SCRIPTS = path.join(import.meta.dirname, 'scripts/light');
export const BOOT_SCRIPT = path.join(SCRIPTS, 'boot.sh');

/** Start and shutdown scripts of a light host by path. */
const OWN_SCRIPTS = {
  'usr/lib/hostler-test/init': 'init.sh',
  'usr/lib/hostler-test/restart': 'restart.sh',
  'usr/bin/systemctl': 'systemctl.sh',
  'usr/sbin/reboot': 'shutdown.sh',
  'usr/sbin/poweroff': 'shutdown.sh',
  'usr/sbin/halt': 'shutdown.sh',
  'usr/sbin/shutdown': 'shutdown.sh',
};

async function makeLayer(folder: string, identity: Identity): Promise<void> {
  const { files, scripts, links, hidden } = IDENTITIES[identity];
  const toPath = (name: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    return path.join(folder, name);
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(toPath(name), text);
    if (text.startsWith('#!')) chmodSync(toPath(name), 0o755);
  }
  for (const [name, script] of Object.entries({ ...OWN_SCRIPTS, ...scripts })) {
    copyFileSync(path.join(SCRIPTS, script), toPath(name));
    chmodSync(toPath(name), 0o755);
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, toPath(name));
  // A device with the numbers 0, 0 hides the file below it in an overlay.
  for (const name of hidden) await runTool(['mknod', toPath(name), 'c', '0', '0']);
}

async function createLayers(identity: Identity): Promise<readonly string[]> {
  const { folder } = await runFolder();
  const layer = path.join(folder, 'layers', identity);
  const image = identity === 'minimal' ? await minimalImage() : await baseImage();
  await makeLayer(layer, identity);
  return [layer, image];
}

const layersByIdentity = new Map<Identity, Promise<readonly string[]>>();

/** Layers of an identity, topmost first; the last is the image. */
export function getLayers(identity: Identity): Promise<readonly string[]> {
  const layers = layersByIdentity.get(identity) ?? createLayers(identity);
  layersByIdentity.set(identity, layers);
  return layers;
}
