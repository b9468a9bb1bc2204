import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostUser } from './accounts.ts';
import { addUsers } from './accounts.ts';
import { runBridge } from './bridge.ts';
import { makeCgroup } from './cgroups.ts';
import { loginKey, makeKey } from './login-key.ts';
import { packageServer } from './package-server.ts';
import { cgroupOf, runFolder } from './run-folder.ts';
import { runTool } from './run-tool.ts';
import { AUTHORIZED_KEYS, FAST_KEX } from './sshd-settings.ts';
import { SystemdHost } from './systemd-host.ts';
import type { SystemdKind, SystemdKindFiles } from './systemd-kinds.ts';
import { SYSTEMD_KINDS } from './systemd-kinds.ts';

export interface SystemdHostOptions {
  readonly kind: SystemdKind;
  /** Beside root. */
  readonly users?: readonly HostUser[];
  /** Beside what all of its kind have, by path on the disk. Only root can read them. */
  readonly files?: Readonly<Record<string, string>>;
  /** What others of its kind have, and it has not. */
  readonly hidden?: readonly string[];
  /** Made, and not switched on. */
  readonly isOff?: boolean;
}

const WANTED = 'etc/systemd/system/multi-user.target.wants';
const INOTIFY = '/proc/sys/fs/inotify/max_user_instances';
/** Each systemd takes seven, and all hosts are root's. */
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

interface Own extends SystemdHostOptions {
  readonly name: string;
  readonly address: string;
}

/** Everything that is the host's own, written to its layer; answers its host key. */
async function configure(
  upper: string,
  kind: SystemdKindFiles,
  { name, address, users = [], files = {}, hidden = [] }: Own,
): Promise<string> {
  const place = (file: string) => {
    mkdirSync(path.dirname(path.join(upper, file)), { recursive: true });
    return path.join(upper, file);
  };
  const ofSystem = {
    'etc/hosts': `127.0.0.1 localhost\n127.0.1.1 ${name}\n`,
    'etc/systemd/network/10-host0.network': networkFile(address),
    'etc/ssh/sshd_config.d/tests.conf': `${sshdFile}\n`,
    [AUTHORIZED_KEYS]: `${(await loginKey()).publicKey}\n`,
  };
  for (const [file, text] of Object.entries(ofSystem)) writeFileSync(place(path.join(kind.root, file)), text);
  for (const [file, text] of Object.entries(kind.files)) writeFileSync(place(file), text);
  for (const [file, text] of Object.entries(files)) writeFileSync(place(file), text, { mode: 0o600 });
  for (const file of [...kind.hidden, ...hidden]) await runTool(['mknod', place(file), 'c', '0', '0']);
  const networkd = 'systemd-networkd.service';
  symlinkSync(`/lib/systemd/system/${networkd}`, place(path.join(kind.root, WANTED, networkd)));
  const below = kind.layers.map(layer => path.join(layer, kind.root));
  addUsers(path.join(upper, kind.root), below, users, path.join(upper, kind.homes));
  return makeKey(place(path.join(kind.root, 'etc/ssh/ssh_host_ed25519_key')), 'ed25519');
}

let count = 0;

/** A host that can be reached, unless it was told to be off. */
export async function startSystemdHost(options: SystemdHostOptions): Promise<SystemdHost> {
  const [run, bridge, server] = [await runFolder(), await runBridge(), await packageServer()];
  if (Number(readFileSync(INOTIFY, 'utf8')) < INOTIFY_INSTANCES)
    writeFileSync(INOTIFY, `${INOTIFY_INSTANCES}`);
  const kind = await SYSTEMD_KINDS[options.kind](server);
  const index = ++count;
  // Names of network cards have at most fifteen characters, and are the machine's.
  const name = `s${run.number}-${index}`;
  const [folder, address] = [path.join(run.folder, name), bridge.addressOf(index)];
  for (const each of ['upper', 'work', 'root', 'physical'])
    mkdirSync(path.join(folder, each), { recursive: true });
  const hostKey = await configure(path.join(folder, 'upper'), kind, { ...options, name, address });
  const cgroup = path.join(cgroupOf(run.number), name);
  const place = { name, folder, layers: kind.layers, address, bridge: bridge.name, cgroup };
  const host = new SystemdHost({ ...place, cgroups: makeCgroup(cgroup) }, hostKey);
  if (!options.isOff) await host.powerOn();
  return host;
}
