import { readFileSync } from 'node:fs';
import path from 'node:path';
import { baseImage, packageLayer } from './base-image.ts';
import type { OstreeSystem } from './ostree-image.ts';
import { ostreeImage } from './ostree-image.ts';
import type { PackageServer } from './package-server.ts';

export interface SystemdKindFiles {
  /** Topmost first. */
  readonly layers: readonly string[];
  /** Root of the system and folder of the homes on the disk. */
  readonly root: string;
  readonly homes: string;
  /** By path on the disk. */
  readonly files: Readonly<Record<string, string>>;
  /** Files of the image to hide. */
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

/**
 * Has Debian's cloud-init, which reads its data from the disk (`cloudInitSeed`) and does not configure the
 * network.
 */
async function cloud(server: PackageServer): Promise<SystemdKindFiles> {
  const { layers, files, ...others } = await apt(server);
  const layer = await packageLayer('cloud-packages', ['cloud-init', 'netbase', 'curl']);
  const settings = {
    'etc/cloud/ds-identify.cfg': 'policy: enabled\n',
    // The locales package is not installed.
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
    // The plugin adds a repository with signatures that cannot be verified.
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

/** NoCloud data of a host of the kind `cloud` for its first boot. */
export const cloudInitSeed = (name: string, userData: string): Readonly<Record<string, string>> => ({
  'var/lib/cloud/seed/nocloud/meta-data': `instance-id: i-${name}\nlocal-hostname: ${name}\n`,
  'var/lib/cloud/seed/nocloud/user-data': userData,
});
