import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { stripKeyComment } from '../../../src/domain/hosts/host-key.ts';
import type { ToolResult } from '../programs/run-tool.ts';
import { runTool, tryTool } from '../programs/run-tool.ts';
import { runFolder } from './run-folder.ts';

export interface HostUser {
  readonly name: string;
  /** The base image has /bin/sh, /bin/bash, /usr/bin/fish and /bin/tcsh. */
  readonly shell: string;
  /** `with password`: sudo asks for a password, and none is valid. */
  readonly sudo: 'free' | 'with password' | 'none';
  /** Startup file of the shell. */
  readonly profile?: string;
}

const FIRST_UID = 1000;

/** The file that the shell also reads for a single command over SSH. */
const profileFile = (shell: string) =>
  ({ bash: '.bashrc', fish: '.config/fish/config.fish', tcsh: '.tcshrc' })[path.basename(shell)] ?? '.profile';

const sudoers = ({ name, sudo }: HostUser) => `${name} ALL=(ALL) ${sudo === 'free' ? 'NOPASSWD:' : ''}ALL\n`;

/** The user owns the home and everything in it. */
function makeHome(home: string, user: HostUser, id: number): void {
  const profile = profileFile(user.shell);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  chownSync(home, id, id);
  if (user.profile === undefined) return;
  for (let folder = path.dirname(profile); folder !== '.'; folder = path.dirname(folder)) {
    mkdirSync(path.join(home, folder), { recursive: true });
    chownSync(path.join(home, folder), id, id);
  }
  writeFileSync(path.join(home, profile), user.profile);
  chownSync(path.join(home, profile), id, id);
}

/**
 * Adds users to a stopped host. `upper` is the layer of the host; account files come from the first lower
 * layer that has them.
 */
export function addUsers(
  upper: string,
  layers: readonly string[],
  users: readonly HostUser[],
  homes = path.join(upper, 'home'),
): void {
  const baseLayer = layers.find(layer => existsSync(path.join(layer, 'etc/passwd'))) ?? '';
  const copy = (file: string) => cpSync(path.join(baseLayer, file), path.join(upper, file));
  const append = (file: string, line: string) => appendFileSync(path.join(upper, file), `${line}\n`);
  for (const file of ['etc/passwd', 'etc/shadow', 'etc/group']) copy(file);
  users.forEach((user, index) => {
    const { name, shell } = user;
    const id = FIRST_UID + index;
    append('etc/passwd', `${name}:x:${id}:${id}::/home/${name}:${shell}`);
    // sshd treats `!` as a locked account, but not `*`.
    append('etc/shadow', `${name}:*:19000:0:99999:7:::`);
    append('etc/group', `${name}:x:${id}:`);
    makeHome(path.join(homes, name), user, id);
    if (user.sudo === 'none') return;
    mkdirSync(path.join(upper, 'etc/sudoers.d'), { recursive: true });
    writeFileSync(path.join(upper, 'etc/sudoers.d', name), sudoers(user), { mode: 0o440 });
  });
  chmodSync(path.join(upper, 'etc/shadow'), 0o640);
}

/** Authorized keys for all users, besides those in their homes. */
export const AUTHORIZED_KEYS = 'etc/ssh/authorized_keys';

/** The default sntrup761 costs 0.1 s of CPU time on each side per login. */
export const FAST_KEX = 'KexAlgorithms curve25519-sha256,curve25519-sha256@libssh.org';

export interface LoginKey {
  /** For enrolment requests. */
  readonly privateKeyBase64: string;
  /** Without a comment. */
  readonly publicKey: string;
  /** For the local `ssh`. */
  readonly file: string;
}

export async function createKey(file: string, type: string): Promise<string> {
  mkdirSync(path.dirname(file), { recursive: true });
  await runTool(['ssh-keygen', '-q', '-t', type, '-N', '', '-C', '', '-f', file]);
  return stripKeyComment(readFileSync(`${file}.pub`, 'utf8').trim());
}

async function createLoginKey(): Promise<LoginKey> {
  const { folder } = await runFolder();
  const file = path.join(folder, 'login', 'key');
  const publicKey = await createKey(file, 'ed25519');
  return { privateKeyBase64: readFileSync(file).toString('base64'), publicKey, file };
}

let createdKey: Promise<LoginKey> | undefined;

/** All hosts of this process accept this key for root and all users. */
export function loginKey(): Promise<LoginKey> {
  createdKey ??= createLoginKey();
  return createdKey;
}

interface SshHost {
  readonly address: string;
  readonly port: number;
  readonly hostKey: string;
}

const OPTIONS = ['BatchMode=yes', 'LogLevel=ERROR', 'KexAlgorithms=curve25519-sha256'];

/** Runs a command with the local `ssh`, which verifies the host key. */
export async function ssh(host: SshHost, user: string, command: string, connectTimeoutS = 10): Promise<ToolResult> {
  const { file } = await loginKey();
  const knownHostsFile = `${file}-${host.address}-${host.port}`;
  const names = host.port === 22 ? host.address : `[${host.address}]:${host.port}`;
  writeFileSync(knownHostsFile, `${names} ${host.hostKey}\n`);
  const checks = [`UserKnownHostsFile=${knownHostsFile}`, 'StrictHostKeyChecking=yes'];
  const options = [...OPTIONS, ...checks, `ConnectTimeout=${connectTimeoutS}`];
  return tryTool([
    ...(['ssh', '-F', 'none', '-n', '-i', file, '-p', String(host.port)] as const),
    ...options.flatMap(option => ['-o', option]),
    ...[`${user}@${host.address}`, command],
  ]);
}
