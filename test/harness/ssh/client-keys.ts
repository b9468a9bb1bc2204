import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Secret } from '../../../src/domain/secret.ts';

const KINDS = {
  ed25519: ['-t', 'ed25519'],
  'ECDSA P-256': ['-t', 'ecdsa', '-b', '256'],
  'ECDSA P-384': ['-t', 'ecdsa', '-b', '384'],
  'ECDSA P-521': ['-t', 'ecdsa', '-b', '521'],
  RSA: ['-t', 'rsa', '-b', '2048'],
};
/** ssh-keygen calls the OpenSSH format `RFC4716`. */
const FORMS = { OpenSSH: 'RFC4716', PEM: 'PEM', 'PKCS#8': 'PKCS8' };

/** Supported key types and formats. */
export const CLIENT_KEYS = Object.keys(KINDS).flatMap(kind => Object.keys(FORMS).map(form => `${kind} as ${form}`));

export interface ClientKey {
  /** Base64, as in enrolment requests. */
  readonly privateKey: Secret;
  /** A line of authorized_keys. */
  readonly publicKey: string;
}

export function makeClientKeys(): ReadonlyMap<string, ClientKey> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-client-keys-'));
  const keygen = (...args: string[]) => execFileSync('ssh-keygen', ['-q', ...args], { stdio: 'pipe' });
  try {
    const keys = Object.entries(KINDS).flatMap(([kind, options]) => {
      const file = path.join(folder, kind);
      keygen(...options, '-N', '', '-C', '', '-f', file);
      const publicKey = readFileSync(`${file}.pub`, 'utf8').trim();
      return Object.entries(FORMS).map(([form, name]): [string, ClientKey] => {
        keygen('-p', '-m', name, '-P', '', '-N', '', '-f', file);
        const privateKey = new Secret(readFileSync(file).toString('base64'));
        return [`${kind} as ${form}`, { privateKey, publicKey }];
      });
    });
    return new Map(keys);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
