import { generateKeyPairSync } from 'node:crypto';
import { argon2Hasher } from '../../src/app/auth/password-hasher.ts';

const newPrivateKey = () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  return Buffer.from(pem).toString('base64');
};

/** Password of the account `admin` of all servers in tests. */
export const ADMIN_PASSWORD = 'correct horse';

/** New keys in each run. */
export const PRIVATE_KEY = newPrivateKey();
export const OTHER_PRIVATE_KEY = newPrivateKey();

const createHostKey = (fill: number) => {
  const blob = Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20'), Buffer.alloc(32, fill)]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
};

/** Public host keys without a comment. */
export const HOST_KEY = createHostKey(7);
export const OTHER_HOST_KEY = createHostKey(8);

/** The lowest Argon2 cost. */
export const FAST_HASHER = { hasher: argon2Hasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }) };

/** `Authorization` header for `user:password`. */
export const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
