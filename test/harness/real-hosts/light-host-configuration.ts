import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostUser } from './host-access.ts';
import { AUTHORIZED_KEYS, addUsers, createKey, FAST_KEX } from './host-access.ts';
import type { Identity } from './light-host-layers.ts';

export interface LightHostOptions {
  readonly identity: Identity;
  /** Uses ::1 with its own port. */
  readonly isIpv6?: boolean;
  readonly port?: number;
  /** Lines of sshd_config before the defaults. */
  readonly sshdOptions?: readonly string[];
  /** Types of ssh-keygen; the first key is `hostKey`. */
  readonly hostKeyTypes?: readonly string[];
  /** Besides root. */
  readonly users?: readonly HostUser[];
  /** Does not start the host. */
  readonly isOff?: boolean;
  /** Uses the boot ID of this machine, so that the server takes the host for its own machine. */
  readonly hasMachineBootId?: boolean;
}

export interface LightHostSettings {
  readonly name: string;
  readonly folder: string;
  /** Lower layers, topmost first; the last is the image. */
  readonly layers: readonly string[];
  readonly address: string;
  readonly port: number;
}

const SSHD_DEFAULTS = [
  FAST_KEX,
  'PermitRootLogin prohibit-password',
  'PasswordAuthentication no',
  'KbdInteractiveAuthentication no',
  'UsePAM no',
  'UseDNS no',
  'MaxStartups 1000',
  'MaxSessions 100',
  'PidFile none',
  `AuthorizedKeysFile /${AUTHORIZED_KEYS} .ssh/authorized_keys`,
];

/** Writes the files of the host to its layer; returns its first host key. */
export async function writeConfiguration(
  { folder, layers, name, address, port }: LightHostSettings,
  { sshdOptions = [], hostKeyTypes = ['ed25519'], users = [] }: LightHostOptions,
  publicKey: string,
): Promise<string> {
  const upper = path.join(folder, 'upper');
  const write = (file: string, lines: readonly string[]) =>
    writeFileSync(path.join(upper, file), lines.map(line => `${line}\n`).join(''));
  for (const folderName of ['etc/ssh', 'var/log']) mkdirSync(path.join(upper, folderName), { recursive: true });
  const keys = await Promise.all(
    hostKeyTypes.map(type => createKey(path.join(upper, `etc/ssh/ssh_host_${type}_key`), type)),
  );
  write('etc/ssh/sshd_config', [
    // sshd uses the first line of each option.
    ...sshdOptions,
    `ListenAddress ${address}`,
    `Port ${port}`,
    ...hostKeyTypes.map(type => `HostKey /etc/ssh/ssh_host_${type}_key`),
    ...SSHD_DEFAULTS,
  ]);
  write(AUTHORIZED_KEYS, [publicKey]);
  write('etc/hostname', [name]);
  write('etc/hosts', ['127.0.0.1 localhost', `127.0.1.1 ${name}`]);
  write('etc/machine-id', [crypto.randomUUID().replaceAll('-', '')]);
  addUsers(upper, layers, users);
  return keys[0] ?? '';
}
