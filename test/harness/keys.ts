import { generateKeyPairSync } from 'node:crypto';

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

/** A private key as hosts are enrolled with it; made anew for each run. */
export const PRIVATE_KEY = Buffer.from(pem).toString('base64');
