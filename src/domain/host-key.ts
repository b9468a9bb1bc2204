/** The public key types that SSH hosts have. */
const TYPES = ['ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'];

/** Whether this is a public host key as in `/etc/ssh/ssh_host_*_key.pub`: a type, and a blob that says the same type first. */
export function isHostKey(line: string): boolean {
  const [, type = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})(?: [^\p{Cc}]*)?$/u.exec(line) ?? [];
  const blob = Buffer.from(base64, 'base64');
  if (!TYPES.includes(type) || blob.toString('base64') !== base64 || blob.length < 4) return false;
  const typeEnd = 4 + blob.readUInt32BE(0);
  return blob.subarray(4, typeEnd).toString() === type && blob.length > typeEnd + 4;
}
