import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostUser } from './accounts.ts';
import { addUsers } from './accounts.ts';
import type { Identity } from './identities.ts';
import { makeKey } from './login-key.ts';
import { AUTHORIZED_KEYS, FAST_KEX } from './sshd-settings.ts';

export interface LightHostOptions {
  readonly identity: Identity;
  /** On ::1, with a port of its own. */
  readonly isIpv6?: boolean;
  readonly port?: number;
  /** Lines for sshd_config; they go before ours. */
  readonly sshdOptions?: readonly string[];
  /** As ssh-keygen calls them; the first is `hostKey`. */
  readonly hostKeyTypes?: readonly string[];
  /** Beside root. */
  readonly users?: readonly HostUser[];
  /** Made, and not switched on. */
  readonly isOff?: boolean;
  /** It has the boot id of this machine, as if it was this machine. */
  readonly isOwnMachine?: boolean;
}

/** Where a host is, here and on the loopback. */
export interface LightHostPlace {
  readonly name: string;
  readonly folder: string;
  /** Below its own, the uppermost first; the last is the image. */
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

/** Everything that is the host's own, written to its layer; answers its first host key. */
export async function writeConfiguration(
  { folder, layers, name, address, port }: LightHostPlace,
  { sshdOptions = [], hostKeyTypes = ['ed25519'], users = [] }: LightHostOptions,
  publicKey: string,
): Promise<string> {
  const upper = path.join(folder, 'upper');
  const write = (file: string, lines: readonly string[]) =>
    writeFileSync(path.join(upper, file), lines.map(line => `${line}\n`).join(''));
  for (const each of ['etc/ssh', 'var/log']) mkdirSync(path.join(upper, each), { recursive: true });
  const keys = await Promise.all(
    hostKeyTypes.map(type => makeKey(path.join(upper, `etc/ssh/ssh_host_${type}_key`), type)),
  );
  write('etc/ssh/sshd_config', [
    // Of two lines for the same the first counts.
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
