// Certificates, made by openssl once for all servers that run at a time: an authority, what it has signed, and what it has not.

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

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export class Authority {
  readonly caPath: string;
  readonly ca: string;
  readonly #folder: string;
  readonly #keyPath: string;
  readonly #made = new Map<string, CertificatePaths>();

  constructor(name: string) {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'hostler-kubernetes-'));
    writeFileSync(this.#inside('openssl.cnf'), CONFIGURATION);
    const own = this.#make('ca', `/CN=${name}`, ['-extensions', 'authority']);
    [this.caPath, this.#keyPath] = [own.cert, own.key];
    this.ca = readFileSync(this.caPath, 'utf8');
  }

  /** As `kubeadm join --discovery-token-ca-cert-hash` wants it. */
  get caHash(): string {
    const publicKey = new X509Certificate(this.ca).publicKey.export({ type: 'spki', format: 'der' });
    return `sha256:${createHash('sha256').update(publicKey).digest('hex')}`;
  }

  serverCertificate(alternativeName = 'IP:127.0.0.1,DNS:localhost'): CertificatePaths {
    return this.#once(`server ${alternativeName}`, '/CN=kube-apiserver', [
      '-addext',
      `subjectAltName=${alternativeName}`,
    ]);
  }

  clientCertificate(user: string, groups: readonly string[]): CertificatePaths {
    const subject = [...groups.map(group => `/O=${group}`), `/CN=${user}`].join('');
    return this.#once(`client ${subject}`, subject, []);
  }

  /** Answers the certificate for a request, both as PEM. */
  sign(request: string): Promise<string> {
    const args = ['x509', '-req', '-days', '1', '-set_serial', `0x${randomBytes(8).toString('hex')}`];
    const signer = ['-CA', this.caPath, '-CAkey', this.#keyPath, '-extfile', this.#inside('openssl.cnf')];
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

  #once(name: string, subject: string, extra: readonly string[]): CertificatePaths {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const signer = ['-CA', this.caPath, '-CAkey', this.#keyPath, '-extensions', 'leaf'];
    const made = this.#make(`certificate-${this.#made.size}`, subject, [...signer, ...extra]);
    this.#made.set(name, made);
    return made;
  }

  #make(name: string, subject: string, args: readonly string[]): CertificatePaths {
    const [cert, key] = [this.#inside(`${name}.crt`), this.#inside(`${name}.key`)];
    const request = ['req', '-x509', ...KEY, '-config', this.#inside('openssl.cnf'), '-days', '30'];
    execFileSync('openssl', [...request, '-subj', subject, ...args, '-keyout', key, '-out', cert], {
      stdio: 'pipe',
    });
    return { cert, key };
  }

  #inside(name: string): string {
    return path.join(this.#folder, name);
  }
}

const made = new Map<string, Authority>();

function named(name: string): Authority {
  const authority = made.get(name) ?? new Authority(name);
  made.set(name, authority);
  return authority;
}

export const authority = () => named('kubernetes');

let holders = 0;

/** Keeps what is made. Answers what lets go of it: the files go with the last who does. */
export function holdAuthorities(): () => void {
  holders += 1;
  return () => {
    holders -= 1;
    if (holders > 0) return;
    for (const authority of made.values()) authority.remove();
    made.clear();
  };
}

/** own: the right one. other authority: signed by one that nobody trusts. other name: for another host. */
export type ShownCertificate = 'own' | 'other authority' | 'other name';

/** What a server needs for TLS with it. Clients are held to the authority whatever is shown. */
export function secureContext(shown: ShownCertificate) {
  const by = named(shown === 'other authority' ? 'another authority' : 'kubernetes');
  const { cert, key } = by.serverCertificate(shown === 'other name' ? 'DNS:elsewhere.invalid' : undefined);
  return { cert: readFileSync(cert), key: readFileSync(key), ca: [authority().ca] };
}
