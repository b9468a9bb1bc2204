import { generateKeyPairSync } from 'node:crypto';

const newPrivateKey = () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  return Buffer.from(pem).toString('base64');
};

/** A private key as hosts are enrolled with it; made anew for each run. */
export const PRIVATE_KEY = newPrivateKey();
export const OTHER_PRIVATE_KEY = newPrivateKey();

const hostKeyOf = (fill: number) => {
  const blob = Buffer.concat([Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20'), Buffer.alloc(32, fill)]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
};

/** Public host keys, as a transport tells them: without a comment. */
export const HOST_KEY = hostKeyOf(7);
export const OTHER_HOST_KEY = hostKeyOf(8);
