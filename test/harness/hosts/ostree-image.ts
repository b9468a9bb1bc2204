import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { baseImage } from './base-image.ts';
import { cached } from './cached.ts';
import { COREOS_VERSIONS } from './identities.ts';
import { packageLayer } from './package-layer.ts';
import { containedWithUs, runTool } from './run-tool.ts';

const SCRIPTS = path.join(import.meta.dirname, 'scripts/systemd');
const BUILD = path.join(SCRIPTS, 'build-ostree.sh');

/** Those that a bootc host may be told to switch to, each by its tag; it begins with the first, and its image is now the last. */
export const BOOTC_VERSIONS = ['10.1', '10.2', '10.3'] as const;

/** What there is of each kind; `scripts` are in its tree. */
const SYSTEMS = {
  coreos: {
    versions: COREOS_VERSIONS,
    stateroot: 'fedora-coreos',
    scripts: ['rpm-ostree.sh', 'cmdline.service'],
  },
  bootc: {
    versions: BOOTC_VERSIONS,
    stateroot: 'default',
    scripts: ['bootc.sh', 'ostree.sh', 'cmdline.service'],
  },
} as const;
export type OstreeSystem = keyof typeof SYSTEMS;

export interface OstreeImage {
  /** To be served: a repository with each of the versions. */
  readonly repository: string;
  /** What a host has below its own layer, with the first version deployed. */
  readonly disk: string;
  /** The folder of that deployment on the disk. */
  readonly deployment: string;
  readonly homes: string;
}

export async function ostreeImage(system: OstreeSystem): Promise<OstreeImage> {
  const { versions, stateroot, scripts } = SYSTEMS[system];
  const base = await baseImage();
  const layer = await packageLayer('ostree-packages', ['ostree', 'ostree-boot']);
  const texts = [BUILD, ...scripts.map(name => path.join(SCRIPTS, name))].map(file =>
    readFileSync(file, 'utf8'),
  );
  const folder = await cached({
    name: `ostree-${system}`,
    ingredients: [layer, ...texts, ...versions],
    build: async target => {
      await runTool(containedWithUs([BUILD, target, `${layer}:${base}`, system, ...versions]));
    },
  });
  const disk = path.join(folder, 'disk');
  const deployments = path.join('ostree/deploy', stateroot, 'deploy');
  const deployed =
    readdirSync(path.join(disk, deployments)).find(name => /^[0-9a-f]{64}\.0$/.test(name)) ?? '';
  return {
    repository: path.join(folder, 'repo'),
    disk,
    deployment: path.join(deployments, deployed),
    homes: path.join('ostree/deploy', stateroot, 'var/home'),
  };
}
