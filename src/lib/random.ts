import { hash, randomBytes } from 'node:crypto';

/** Unique and hard to guess. It does not start with `-`, which the command line would read as an option. */
export const newId = (): string => {
  const id = randomBytes(12).toString('base64url');
  return id.startsWith('-') ? newId() : id;
};

/** Digests never leave this process, so a key prefix suffices; an HMAC would cost ten times as much. */
export function createPrivateDigest(): (text: string) => string {
  const key = randomBytes(32).toString('hex');
  return text => hash('sha256', key + text, 'hex');
}
