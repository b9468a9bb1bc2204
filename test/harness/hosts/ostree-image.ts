import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { baseImage } from './base-image.ts';
import { cached } from './cached.ts';
import { COREOS_VERSIONS } from './identities.ts';
import { packageLayer } from './package-layer.ts';
import { containedWithUs, runTool } from './run-tool.ts';

const SCRIPTS = path.join(import.meta.dirname, 'scripts/systemd');
const BUILD = path.join(SCRIPTS, 'build-ostree.sh');
const FRONT_END = path.join(SCRIPTS, 'rpm-ostree.sh');
const DEPLOYMENTS = 'ostree/deploy/fedora-coreos/deploy';

export interface OstreeImage {
  /** To be served: a repository with each of `COREOS_VERSIONS`. */
  readonly repository: string;
  /** What a host has below its own layer, with the first version deployed. */
  readonly disk: string;
  /** The folder of that deployment on the disk. */
  readonly deployment: string;
}

export async function ostreeImage(): Promise<OstreeImage> {
  const base = await baseImage();
  const layer = await packageLayer('ostree-packages', ['ostree', 'ostree-boot']);
  const folder = await cached({
    name: 'ostree',
    ingredients: [layer, readFileSync(BUILD, 'utf8'), readFileSync(FRONT_END, 'utf8'), ...COREOS_VERSIONS],
    build: async target => {
      await runTool(containedWithUs([BUILD, target, `${layer}:${base}`, FRONT_END, ...COREOS_VERSIONS]));
    },
  });
  const disk = path.join(folder, 'disk');
  const deployed =
    readdirSync(path.join(disk, DEPLOYMENTS)).find(name => /^[0-9a-f]{64}\.0$/.test(name)) ?? '';
  return { repository: path.join(folder, 'repo'), disk, deployment: path.join(DEPLOYMENTS, deployed) };
}
