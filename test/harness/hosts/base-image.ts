import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { machineArchive } from './apt-sources.ts';
import { cached } from './cached.ts';
import { containedWithUs, runTool, tryTool } from './run-tool.ts';

const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'dbus', 'openssh-server', 'sudo', 'iproute2', 'procps', 'util-linux'],
  ...['busybox-static', 'fish', 'tcsh'],
  // For what others run on hosts, in the benchmark.
  'python3',
];

/** What nobody reads on a test host. */
const LEFT_OUT = ['/usr/share/man/*', '/usr/share/locale/*', '/usr/share/doc/*', '/usr/share/info/*'];

async function bootstrap(folder: string): Promise<void> {
  const { codename, uri, lines } = machineArchive();
  const include = `--include=${PACKAGES.join(',')}`;
  if ((await tryTool(['sh', '-c', 'command -v mmdebstrap'])).exitCode !== 0) {
    await runTool(containedWithUs(['debootstrap', '--variant=minbase', include, codename, folder, uri]));
    return;
  }
  await runTool(
    containedWithUs([
      ...(['mmdebstrap', '--mode=root', '--variant=minbase', '--format=directory', include] as const),
      ...LEFT_OUT.map(files => `--dpkgopt=path-exclude=${files}`),
      ...[codename, folder, '-'],
    ]),
    { input: `${lines.join('\n')}\n` },
  );
}

/** What must be each host's own: keys, names, where packages come from. */
function makeAnonymous(folder: string): void {
  const ssh = path.join(folder, 'etc/ssh');
  for (const name of readdirSync(ssh)) if (name.startsWith('ssh_host_')) rmSync(path.join(ssh, name));
  for (const name of ['etc/hostname', 'etc/resolv.conf', 'var/lib/dbus/machine-id'])
    rmSync(path.join(folder, name), { force: true });
  for (const name of ['var/lib/apt/lists', 'var/cache/apt/archives'])
    for (const entry of readdirSync(path.join(folder, name)))
      rmSync(path.join(folder, name, entry), { recursive: true });
  // Empty, not missing: systemd fills it at the first boot.
  writeFileSync(path.join(folder, 'etc/machine-id'), '');
  symlinkSync('/etc/machine-id', path.join(folder, 'var/lib/dbus/machine-id'));
  writeFileSync(path.join(folder, 'etc/apt/sources.list'), '');
}

/** The root file system below all test hosts. Nothing writes to it: each host has a layer of its own on top. */
export const baseImage = (): Promise<string> =>
  cached({
    name: 'base',
    ingredients: [machineArchive().codename, process.arch, ...PACKAGES, ...LEFT_OUT, '1'],
    build: async folder => {
      await bootstrap(folder);
      makeAnonymous(folder);
    },
  });
