import { readFileSync } from 'node:fs';
import path from 'node:path';
import { baseImage } from './base-image.ts';
import type { OstreeSystem } from './ostree-image.ts';
import { ostreeImage } from './ostree-image.ts';
import { packageLayer } from './package-layer.ts';
import type { PackageServer } from './package-server.ts';

export interface SystemdKindFiles {
  /** The uppermost first. */
  readonly layers: readonly string[];
  /** Where the root of the system, and its homes, are on the disk. */
  readonly root: string;
  readonly homes: string;
  /** What such a host has of its own, by path on the disk. */
  readonly files: Readonly<Record<string, string>>;
  /** What the image has and such a system has not. */
  readonly hidden: readonly string[];
}

const FEDORA_RELEASE = `NAME="Fedora Linux"
VERSION="40 (Server Edition)"
ID=fedora
VERSION_ID=40
PLATFORM_ID="platform:f40"
PRETTY_NAME="Fedora Linux 40 (Server Edition)"
`;

async function apt({ url }: PackageServer): Promise<SystemdKindFiles> {
  const files = {
    'etc/apt/sources.list': `deb [trusted=yes] ${url}/deb ./\n`,
    'etc/apt/apt.conf.d/99tests': 'Acquire::Languages "none";\n',
  };
  return { layers: [await baseImage()], root: '', homes: 'home', files, hidden: [] };
}

/** Has Debian's cloud-init, which looks for its data on the disk (`cloudInitSeed`) and leaves the network as it is. */
async function cloud(server: PackageServer): Promise<SystemdKindFiles> {
  const { layers, files, ...others } = await apt(server);
  const layer = await packageLayer('cloud-packages', ['cloud-init', 'netbase', 'curl']);
  const settings = {
    'etc/cloud/ds-identify.cfg': 'policy: enabled\n',
    // There is no package with locales.
    'etc/cloud/cloud.cfg.d/99_tests.cfg':
      'datasource_list: [NoCloud, None]\nnetwork: {config: disabled}\nlocale: false\n',
  };
  return { ...others, layers: [layer, ...layers], files: { ...files, ...settings } };
}

async function dnf({ url }: PackageServer): Promise<SystemdKindFiles> {
  const layer = await packageLayer('dnf-packages', ['dnf', 'rpm', 'dnf-plugins-core']);
  const files = {
    'usr/lib/os-release': FEDORA_RELEASE,
    'etc/yum.repos.d/tests.repo': `[tests]\nname=tests\nbaseurl=${url}/rpm\ngpgcheck=0\nmetadata_expire=0\n`,
    // Debian's plugin of this name adds a repository whose signatures nobody can check.
    'etc/dnf/plugins/local.conf': '[main]\nenabled=False\n',
  };
  const hidden = ['usr/bin/apt-get', 'usr/bin/apt', 'usr/bin/dpkg'];
  return { layers: [layer, await baseImage()], root: '', homes: 'home', files, hidden };
}

const imageSystem =
  (system: OstreeSystem) =>
  async (server: PackageServer): Promise<SystemdKindFiles> => {
    const { repository, disk, deployment, homes } = await ostreeImage(system);
    server.serve(system, repository);
    const config = readFileSync(path.join(disk, 'ostree/repo/config'), 'utf8');
    return {
      layers: [disk],
      root: deployment,
      homes,
      files: { 'ostree/repo/config': config.replace(/^url=.*$/m, `url=${server.url}/${system}`) },
      hidden: [],
    };
  };

export const SYSTEMD_KINDS = {
  ...{ apt, cloud, dnf },
  ...{ ostree: imageSystem('coreos'), bootc: imageSystem('bootc') },
};
export type SystemdKind = keyof typeof SYSTEMD_KINDS;
