/** Where sshd looks for the keys of everybody, beside what is in a home. */
export const AUTHORIZED_KEYS = 'etc/ssh/authorized_keys';

/** sntrup761, which sshd prefers, takes a tenth of a second of each side at each login. */
export const FAST_KEX = 'KexAlgorithms curve25519-sha256,curve25519-sha256@libssh.org';
