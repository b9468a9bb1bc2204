import { hash } from 'node:crypto';

// Whatever looks random in the simulator is derived from its seed and from what it is for. So it is the same in every run, and
// does not depend on which host was asked first.

const bytesOf = (seed: number, what: string): Buffer => hash('sha256', `${seed} ${what}`, 'buffer');

/** What every ed25519 key begins with: its type, and the length of what follows. */
const ED25519 = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1');

/** A public host key as in `/etc/ssh/ssh_host_ed25519_key.pub`, of which nobody has the private half. */
export const deriveHostKey = (seed: number, what: string): string =>
  `ssh-ed25519 ${Buffer.concat([ED25519, bytesOf(seed, what)]).toString('base64')}`;

/** As in `/proc/sys/kernel/random/boot_id`. */
export const deriveBootId = (seed: number, what: string): string =>
  bytesOf(seed, what)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-a$4-$5');

/** From 0 up to, not including, 1. */
export const deriveChance = (seed: number, what: string): number =>
  bytesOf(seed, what).readUInt32BE(0) / 2 ** 32;
