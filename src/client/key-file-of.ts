/** Where sshd has the key of this type, unless told otherwise. */
export const keyFileOf = (type: string): string =>
  `/etc/ssh/ssh_host_${/ed25519|ecdsa|rsa/.exec(type)?.[0] ?? 'ed25519'}_key.pub`;
