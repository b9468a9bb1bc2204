import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

export interface CertificatePaths {
  readonly cert: string;
  readonly key: string;
}

export interface ClientCertificate extends CertificatePaths {
  readonly caPath: string;
}

interface CertificateOptions {
  readonly kind?: 'ed25519' | 'rsa:2048';
  readonly days?: number;
}

/** Creates a self-signed certificate for 127.0.0.1. */
export function createCertificate(
  folder: string,
  { kind = 'ed25519', days = 90 }: CertificateOptions = {},
): CertificatePaths {
  mkdirSync(folder, { recursive: true });
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const subject = ['-subj', `/CN=${path.basename(folder)}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', kind, '-nodes', '-days', String(days), ...subject, '-keyout', key, '-out', cert],
    { stdio: 'pipe' },
  );
  return { cert, key };
}
