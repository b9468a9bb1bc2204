import { appendFileSync, chmodSync, chownSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
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

/** Where `sshd` looks, whatever a home is like. */
export const AUTHORIZED_KEYS = 'etc/ssh/authorized_keys';

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

/** Adds users to a host that is not running, in its own layer over an image. */
export function addUsers(upper: string, image: string, users: readonly HostUser[]): void {
  for (const file of ['etc/passwd', 'etc/shadow', 'etc/group'])
    cpSync(path.join(image, file), path.join(upper, file), { preserveTimestamps: true });
  users.forEach((user, index) => {
    const id = FIRST_UID + index;
    appendFileSync(
      path.join(upper, 'etc/passwd'),
      `${user.name}:x:${id}:${id}::/home/${user.name}:${user.shell}\n`,
    );
    // A star is no password. With an exclamation mark sshd would take the account for locked.
    appendFileSync(path.join(upper, 'etc/shadow'), `${user.name}:*:19000:0:99999:7:::\n`);
    appendFileSync(path.join(upper, 'etc/group'), `${user.name}:x:${id}:\n`);
    makeHome(path.join(upper, 'home', user.name), user, id);
    if (user.sudo === 'none') return;
    mkdirSync(path.join(upper, 'etc/sudoers.d'), { recursive: true });
    writeFileSync(path.join(upper, 'etc/sudoers.d', user.name), sudoers(user), { mode: 0o440 });
  });
  chmodSync(path.join(upper, 'etc/shadow'), 0o640);
}
