import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inOwnNamespaces, runTool } from '../programs/run-tool.ts';
import { baseImage, packageLayer } from './base-image.ts';
import { buildCached } from './build-cache.ts';
import { COREOS_VERSIONS } from './light-host-layers.ts';

const SCRIPTS = path.join(import.meta.dirname, 'scripts/systemd');
const BUILD = path.join(SCRIPTS, 'build-ostree.sh');

/** Image tags. A bootc host starts with the first; the image currently points to the last. */
export const BOOTC_VERSIONS = ['10.1', '10.2', '10.3'] as const;

/** `scripts` are installed in the tree. */
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
  /** Repository with all versions, for the package server. */
  readonly repository: string;
  /** Lower layer of a host with the first version deployed. */
  readonly disk: string;
  /** Path of the deployment on the disk. */
  readonly deployment: string;
  readonly homes: string;
}

export async function ostreeImage(system: OstreeSystem): Promise<OstreeImage> {
  const { versions, stateroot, scripts } = SYSTEMS[system];
  const base = await baseImage();
  const layer = await packageLayer('ostree-packages', ['ostree', 'ostree-boot']);
  const texts = [BUILD, ...scripts.map(name => path.join(SCRIPTS, name))].map(file => readFileSync(file, 'utf8'));
  const folder = await buildCached({
    name: `ostree-${system}`,
    inputs: [layer, ...texts, ...versions],
    build: async target => {
      await runTool(inOwnNamespaces([BUILD, target, `${layer}:${base}`, system, ...versions]));
    },
  });
  const disk = path.join(folder, 'disk');
  const deployments = path.join('ostree/deploy', stateroot, 'deploy');
  const deployed = readdirSync(path.join(disk, deployments)).find(name => /^[0-9a-f]{64}\.0$/.test(name)) ?? '';
  return {
    repository: path.join(folder, 'repo'),
    disk,
    deployment: path.join(deployments, deployed),
    homes: path.join('ostree/deploy', stateroot, 'var/home'),
  };
}
