import { createHash } from 'node:crypto';

const TYPES = ['ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'];

/** The format of `/etc/ssh/ssh_host_*_key.pub`: a type, and a blob that starts with the same type. */
export function isHostKey(line: string): boolean {
  const [, type = '', base64 = ''] = /^(\S+) ([A-Za-z0-9+/]+={0,2})(?: [^\p{Cc}]*)?$/u.exec(line) ?? [];
  const blob = Buffer.from(base64, 'base64');
  if (!TYPES.includes(type) || blob.toString('base64') !== base64 || blob.length < 4) return false;
  const typeEnd = 4 + blob.readUInt32BE(0);
  return blob.subarray(4, typeEnd).toString() === type && blob.length > typeEnd + 4;
}

/** From a key blob of the SSH protocol. The result is not validated. */
export function hostKeyLine(blob: Buffer): string {
  const length = blob.length < 4 ? 0 : Math.min(blob.readUInt32BE(0), blob.length - 4);
  return `${blob.toString('latin1', 4, 4 + length)} ${blob.toString('base64')}`;
}

/** Two lines are the same key if they are equal without comments. */
export const stripKeyComment = (line: string): string => line.split(' ', 2).join(' ');

const splitKeyLine = (line: string) => {
  const [type = '', base64 = ''] = line.split(' ');
  return { type, base64 };
};

export const hostKeyType = (line: string): string => splitKeyLine(line).type;

/** As `ssh-keygen -l` prints it: `SHA256:` and 43 characters of base64. */
export function hostKeyFingerprint(line: string): string {
  const digest = createHash('sha256').update(splitKeyLine(line).base64, 'base64').digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}

const keyBlobs = (lines: readonly string[]) => new Set(lines.map(line => splitKeyLine(line).base64));

/** Ignores order and comments. */
export const areSameHostKeys = (some: readonly string[], others: readonly string[]): boolean =>
  keyBlobs(some).symmetricDifference(keyBlobs(others)).size === 0;
