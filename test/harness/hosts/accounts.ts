import { appendFileSync, chmodSync, chownSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface HostUser {
  readonly name: string;
  /** Of the base image there are /bin/sh, /bin/bash, /usr/bin/fish and /bin/tcsh. */
  readonly shell: string;
  /** `with password`: sudo asks for one, and none is right. */
  readonly sudo: 'free' | 'with password' | 'none';
  /** What its shell reads at the start of a session. */
  readonly profile?: string;
}

const FIRST_UID = 1000;

/** What the shell reads also when it runs one command for sshd, if it reads anything. */
const profileOf = (shell: string) =>
  ({ bash: '.bashrc', fish: '.config/fish/config.fish', tcsh: '.tcshrc' })[path.basename(shell)] ??
  '.profile';

const sudoers = ({ name, sudo }: HostUser) => `${name} ALL=(ALL) ${sudo === 'free' ? 'NOPASSWD:' : ''}ALL\n`;

/** A home with all that is in it belongs to its user. */
function makeHome(home: string, user: HostUser, id: number): void {
  const profile = profileOf(user.shell);
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

/** Adds users to a host that is not running, in its own layer over others, of which the first with accounts counts. */
export function addUsers(
  upper: string,
  layers: readonly string[],
  users: readonly HostUser[],
  homes = path.join(upper, 'home'),
): void {
  const below = layers.find(layer => existsSync(path.join(layer, 'etc/passwd'))) ?? '';
  const copy = (file: string) => cpSync(path.join(below, file), path.join(upper, file));
  const append = (file: string, line: string) => appendFileSync(path.join(upper, file), `${line}\n`);
  for (const file of ['etc/passwd', 'etc/shadow', 'etc/group']) copy(file);
  users.forEach((user, index) => {
    const { name, shell } = user;
    const id = FIRST_UID + index;
    append('etc/passwd', `${name}:x:${id}:${id}::/home/${name}:${shell}`);
    // A star is no password. With an exclamation mark sshd would take the account for locked.
    append('etc/shadow', `${name}:*:19000:0:99999:7:::`);
    append('etc/group', `${name}:x:${id}:`);
    makeHome(path.join(homes, name), user, id);
    if (user.sudo === 'none') return;
    mkdirSync(path.join(upper, 'etc/sudoers.d'), { recursive: true });
    writeFileSync(path.join(upper, 'etc/sudoers.d', name), sudoers(user), { mode: 0o440 });
  });
  chmodSync(path.join(upper, 'etc/shadow'), 0o640);
}
