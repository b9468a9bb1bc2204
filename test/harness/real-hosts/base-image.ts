import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tryFindProgram } from '../programs/find-program.ts';
import { inOwnNamespaces, runTool } from '../programs/run-tool.ts';
import { machineArchive } from './apt-sources.ts';
import { buildCached } from './build-cache.ts';

const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'dbus', 'openssh-server', 'sudo', 'iproute2', 'procps', 'util-linux'],
  ...['busybox-static', 'fish', 'tcsh'],
  // For tools that the benchmark runs on hosts.
  'python3',
];

/** Not needed on test hosts. */
const EXCLUDED_PATHS = ['/usr/share/man/*', '/usr/share/locale/*', '/usr/share/doc/*', '/usr/share/info/*'];

async function bootstrap(folder: string): Promise<void> {
  const { codename, uri, lines } = machineArchive();
  const include = `--include=${PACKAGES.join(',')}`;
  if (tryFindProgram('mmdebstrap') === undefined) {
    await runTool(inOwnNamespaces(['debootstrap', '--variant=minbase', include, codename, folder, uri]));
    return;
  }
  await runTool(
    inOwnNamespaces([
      ...(['mmdebstrap', '--mode=root', '--variant=minbase', '--format=directory', include] as const),
      ...EXCLUDED_PATHS.map(files => `--dpkgopt=path-exclude=${files}`),
      ...[codename, folder, '-'],
    ]),
    { input: `${lines.join('\n')}\n` },
  );
}

/** Removes keys, names and package sources, which each host must create itself. */
function removeIdentity(folder: string): void {
  const ssh = path.join(folder, 'etc/ssh');
  for (const name of readdirSync(ssh)) if (name.startsWith('ssh_host_')) rmSync(path.join(ssh, name));
  for (const name of ['etc/hostname', 'etc/resolv.conf', 'var/lib/dbus/machine-id'])
    rmSync(path.join(folder, name), { force: true });
  for (const name of ['var/lib/apt/lists', 'var/cache/apt/archives'])
    for (const entry of readdirSync(path.join(folder, name)))
      rmSync(path.join(folder, name, entry), { recursive: true });
  // systemd fills an empty file at the first boot, but not a missing one.
  writeFileSync(path.join(folder, 'etc/machine-id'), '');
  symlinkSync('/etc/machine-id', path.join(folder, 'var/lib/dbus/machine-id'));
  writeFileSync(path.join(folder, 'etc/apt/sources.list'), '');
}

/** Root file system below all test hosts. Read-only: each host has its own layer. */
export const baseImage = (): Promise<string> =>
  buildCached({
    name: 'base',
    inputs: [machineArchive().codename, process.arch, ...PACKAGES, ...EXCLUDED_PATHS, '1'],
    build: async folder => {
      await bootstrap(folder);
      removeIdentity(folder);
    },
  });

// The mounts are private to this process. policy-rc.d prevents the start of services.
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

/** Returns a layer with additional packages on top of the base image. */
export async function packageLayer(name: string, packages: readonly string[]): Promise<string> {
  const base = await baseImage();
  const layer = await buildCached({
    name,
    inputs: [path.basename(base), INSTALL, ...packages],
    build: async folder => {
      for (const folderName of ['upper', 'work', 'root']) mkdirSync(path.join(folder, folderName));
      writeFileSync(path.join(folder, 'sources'), `${machineArchive().lines.join('\n')}\n`);
      await runTool(inOwnNamespaces(['sh', '-c', INSTALL, 'sh', folder, base, ...packages]), {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
      });
      rmSync(path.join(folder, 'work'), { recursive: true, force: true });
    },
  });
  return path.join(layer, 'upper');
}
