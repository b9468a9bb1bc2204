import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTool } from '../programs/run-tool.ts';
import { makeCgroup } from './cgroups.ts';
import type { HostUser } from './host-access.ts';
import { AUTHORIZED_KEYS, addUsers, createKey, FAST_KEX, loginKey } from './host-access.ts';
import { packageServer } from './package-server.ts';
import { cgroupName, runBridge, runFolder } from './run-folder.ts';
import { SystemdHost } from './systemd-host.ts';
import type { SystemdKind, SystemdKindFiles } from './systemd-kinds.ts';
import { SYSTEMD_KINDS } from './systemd-kinds.ts';

export interface SystemdHostOptions {
  readonly kind: SystemdKind;
  /** Besides root. */
  readonly users?: readonly HostUser[];
  /** Additional files by path on the disk, readable only by root. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of the image to hide. */
  readonly hidden?: readonly string[];
  /** Does not start the host. */
  readonly isOff?: boolean;
}

const WANTS_FOLDER = 'etc/systemd/system/multi-user.target.wants';
const INOTIFY = '/proc/sys/fs/inotify/max_user_instances';
/** Each systemd uses seven instances, and all hosts share the limit of root. */
const INOTIFY_INSTANCES = 8192;

const networkFile = (address: string) =>
  `[Match]\nName=host0\n[Network]\nAddress=${address}/24\nLinkLocalAddressing=no\n`;

const sshdFile = [
  'HostKey /etc/ssh/ssh_host_ed25519_key',
  FAST_KEX,
  'PasswordAuthentication no',
  'PermitRootLogin prohibit-password',
  'UseDNS no',
  'MaxStartups 200',
  `AuthorizedKeysFile /${AUTHORIZED_KEYS} .ssh/authorized_keys`,
].join('\n');

interface HostConfiguration extends SystemdHostOptions {
  readonly name: string;
  readonly address: string;
}

/** Writes the files of the host to its layer; returns its host key. */
async function configure(
  upper: string,
  kind: SystemdKindFiles,
  { name, address, users = [], files = {}, hidden = [] }: HostConfiguration,
): Promise<string> {
  const toPath = (file: string) => {
    mkdirSync(path.dirname(path.join(upper, file)), { recursive: true });
    return path.join(upper, file);
  };
  const systemFiles = {
    'etc/hosts': `127.0.0.1 localhost\n127.0.1.1 ${name}\n`,
    'etc/systemd/network/10-host0.network': networkFile(address),
    'etc/ssh/sshd_config.d/tests.conf': `${sshdFile}\n`,
    [AUTHORIZED_KEYS]: `${(await loginKey()).publicKey}\n`,
  };
  for (const [file, text] of Object.entries(systemFiles)) writeFileSync(toPath(path.join(kind.root, file)), text);
  for (const [file, text] of Object.entries(kind.files)) writeFileSync(toPath(file), text);
  for (const [file, text] of Object.entries(files)) writeFileSync(toPath(file), text, { mode: 0o600 });
  for (const file of [...kind.hidden, ...hidden]) await runTool(['mknod', toPath(file), 'c', '0', '0']);
  const networkd = 'systemd-networkd.service';
  symlinkSync(`/lib/systemd/system/${networkd}`, toPath(path.join(kind.root, WANTS_FOLDER, networkd)));
  const baseLayers = kind.layers.map(layer => path.join(layer, kind.root));
  addUsers(path.join(upper, kind.root), baseLayers, users, path.join(upper, kind.homes));
  return createKey(toPath(path.join(kind.root, 'etc/ssh/ssh_host_ed25519_key')), 'ed25519');
}

let count = 0;

/** Returns when the host is reachable, unless `isOff` is set. */
export async function startSystemdHost(options: SystemdHostOptions): Promise<SystemdHost> {
  const [run, bridge, server] = [await runFolder(), await runBridge(), await packageServer()];
  if (Number(readFileSync(INOTIFY, 'utf8')) < INOTIFY_INSTANCES) writeFileSync(INOTIFY, `${INOTIFY_INSTANCES}`);
  const kind = await SYSTEMD_KINDS[options.kind](server);
  const index = ++count;
  // Also the name of a network interface on this machine, which has at most 15 characters.
  const name = `s${run.number}-${index}`;
  const [folder, address] = [path.join(run.folder, name), bridge.hostAddress(index)];
  for (const folderName of ['upper', 'work', 'root', 'physical'])
    mkdirSync(path.join(folder, folderName), { recursive: true });
  const hostKey = await configure(path.join(folder, 'upper'), kind, { ...options, name, address });
  const cgroup = path.join(cgroupName(run.number), name);
  const settings = { name, folder, layers: kind.layers, address, bridge: bridge.name, cgroup };
  const host = new SystemdHost({ ...settings, cgroups: makeCgroup(cgroup) }, hostKey);
  if (!options.isOff) await host.powerOn();
  return host;
}
