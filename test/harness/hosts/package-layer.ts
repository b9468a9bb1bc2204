import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { machineArchive } from './apt-sources.ts';
import { baseImage } from './base-image.ts';
import { cached } from './cached.ts';
import { containedWithUs, runTool } from './run-tool.ts';

// The mounts are seen by nobody else, and gone when it ends. What apt brings must not be started.
const INSTALL = `set -e
layer=$1 base=$2
shift 2
mount -t overlay overlay -o "lowerdir=$base,upperdir=$layer/upper,workdir=$layer/work" "$layer/root"
mount -t proc proc "$layer/root/proc"
cd "$layer/root"
cp "$layer/sources" etc/apt/sources.list
cp /etc/resolv.conf etc/resolv.conf
printf '#!/bin/sh\\nexit 101\\n' >usr/sbin/policy-rc.d
chmod 755 usr/sbin/policy-rc.d
chroot . apt-get -q update
chroot . apt-get -qy --no-install-recommends install "$@"
chroot . apt-get clean
rm -rf var/lib/apt/lists/* usr/sbin/policy-rc.d etc/resolv.conf
: >etc/apt/sources.list`;

/** The base image with more packages: the layer that goes on top of it. */
export async function packageLayer(name: string, packages: readonly string[]): Promise<string> {
  const base = await baseImage();
  const layer = await cached({
    name,
    ingredients: [path.basename(base), INSTALL, ...packages],
    build: async folder => {
      for (const each of ['upper', 'work', 'root']) mkdirSync(path.join(folder, each));
      writeFileSync(path.join(folder, 'sources'), `${machineArchive().lines.join('\n')}\n`);
      await runTool(containedWithUs(['sh', '-c', INSTALL, 'sh', folder, base, ...packages]), {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      });
      rmSync(path.join(folder, 'work'), { recursive: true, force: true });
    },
  });
  return path.join(layer, 'upper');
}
