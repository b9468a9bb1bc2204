// Certificates created by openssl and shared by all running servers.

import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CertificatePaths } from '../certificates/certificates.ts';

const CONFIGURATION = `
[req]
distinguished_name = name
prompt = no
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign, digitalSignature
subjectKeyIdentifier = hash
[leaf]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
`;

const KEY_OPTIONS = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export class Authority {
  readonly caPath: string;
  readonly ca: string;
  readonly #folder: string;
  readonly #keyPath: string;
  readonly #certificates = new Map<string, CertificatePaths>();

  constructor(name: string) {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'hostler-kubernetes-'));
    writeFileSync(this.#path('openssl.cnf'), CONFIGURATION);
    const own = this.#create('ca', `/CN=${name}`, ['-extensions', 'authority']);
    [this.caPath, this.#keyPath] = [own.cert, own.key];
    this.ca = readFileSync(this.caPath, 'utf8');
  }

  /** Format of `kubeadm join --discovery-token-ca-cert-hash`. */
  get caHash(): string {
    const publicKey = new X509Certificate(this.ca).publicKey.export({ type: 'spki', format: 'der' });
    return `sha256:${createHash('sha256').update(publicKey).digest('hex')}`;
  }

  serverCertificate(alternativeName = 'IP:127.0.0.1,DNS:localhost'): CertificatePaths {
    return this.#getOrCreate(`server ${alternativeName}`, '/CN=kube-apiserver', [
      '-addext',
      `subjectAltName=${alternativeName}`,
    ]);
  }

  clientCertificate(user: string, groups: readonly string[]): CertificatePaths {
    const subject = [...groups.map(group => `/O=${group}`), `/CN=${user}`].join('');
    return this.#getOrCreate(`client ${subject}`, subject, []);
  }

  /** Signs a PEM request; returns a PEM certificate. */
  sign(request: string): Promise<string> {
    const args = ['x509', '-req', '-days', '1', '-set_serial', `0x${randomBytes(8).toString('hex')}`];
    const signer = ['-CA', this.caPath, '-CAkey', this.#keyPath, '-extfile', this.#path('openssl.cnf')];
    return new Promise((resolve, reject) => {
      const child = execFile(
        'openssl',
        [...args, ...signer, '-extensions', 'leaf', '-copy_extensions', 'copy'],
        (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
      );
      child.stdin?.end(request);
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #getOrCreate(name: string, subject: string, extra: readonly string[]): CertificatePaths {
    const existing = this.#certificates.get(name);
    if (existing !== undefined) return existing;
    const signer = ['-CA', this.caPath, '-CAkey', this.#keyPath, '-extensions', 'leaf'];
    const certificate = this.#create(`certificate-${this.#certificates.size}`, subject, [...signer, ...extra]);
    this.#certificates.set(name, certificate);
    return certificate;
  }

  #create(name: string, subject: string, args: readonly string[]): CertificatePaths {
    const [cert, key] = [this.#path(`${name}.crt`), this.#path(`${name}.key`)];
    const request = ['req', '-x509', ...KEY_OPTIONS, '-config', this.#path('openssl.cnf'), '-days', '30'];
    execFileSync('openssl', [...request, '-subj', subject, ...args, '-keyout', key, '-out', cert], {
      stdio: 'pipe',
    });
    return { cert, key };
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }
}

const authorities = new Map<string, Authority>();

function getAuthority(name: string): Authority {
  const authority = authorities.get(name) ?? new Authority(name);
  authorities.set(name, authority);
  return authority;
}

export const authority = () => getAuthority('kubernetes');

let references = 0;

/** Returns a function that releases the authorities. The last release removes the files. */
export function retainAuthorities(): () => void {
  references += 1;
  return () => {
    references -= 1;
    if (references > 0) return;
    for (const authority of authorities.values()) authority.remove();
    authorities.clear();
  };
}

/** `own` is valid; `other authority` is untrusted; `other name` is for another host. */
export type PresentedCertificate = 'own' | 'other authority' | 'other name';

/** Client certificates are always verified against the own authority. */
export function secureContext(presented: PresentedCertificate) {
  const signer = getAuthority(presented === 'other authority' ? 'another authority' : 'kubernetes');
  const { cert, key } = signer.serverCertificate(presented === 'other name' ? 'DNS:elsewhere.invalid' : undefined);
  return { cert: readFileSync(cert), key: readFileSync(key), ca: [authority().ca] };
}
