import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from '../real-hosts/run-folder.ts';
import type { CertificatePaths } from './certificates.ts';

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
const DAYS = '30';

/** A certificate authority that keeps its files in `folder`. */
export class CertificateAuthority {
  readonly caPath: string;
  readonly keyPath: string;
  readonly #folder: string;
  readonly #issued = new Map<string, CertificatePaths>();

  constructor(folder: string, name: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(this.#configuration, CONFIGURATION);
    const own = this.#create('ca', `/CN=${name}`, ['-extensions', 'authority']);
    [this.caPath, this.keyPath] = [own.cert, own.key];
  }

  /** The certificate in PEM format. */
  get ca(): string {
    return readFileSync(this.caPath, 'utf8');
  }

  /**
   * A certificate for a subject such as `/O=group/CN=name`, valid for clients and for servers with these
   * names, such as `IP:127.0.0.1`. The same arguments return the same certificate.
   */
  issue(subject: string, names: readonly string[] = []): CertificatePaths {
    const key = JSON.stringify([subject, names]);
    const existing = this.#issued.get(key);
    if (existing !== undefined) return existing;
    const alternativeNames = names.length > 0 ? ['-addext', `subjectAltName=${names.join()}`] : [];
    const signer = ['-CA', this.caPath, '-CAkey', this.keyPath, '-extensions', 'leaf', ...alternativeNames];
    const issued = this.#create(`certificate-${this.#issued.size}`, subject, signer);
    this.#issued.set(key, issued);
    return issued;
  }

  /** Signs a PEM request; returns a PEM certificate. */
  sign(request: string): Promise<string> {
    const args = ['x509', '-req', '-days', '1', '-set_serial', `0x${randomBytes(8).toString('hex')}`];
    const signer = ['-CA', this.caPath, '-CAkey', this.keyPath, '-extfile', this.#configuration];
    return new Promise((resolve, reject) => {
      const child = execFile(
        'openssl',
        [...args, ...signer, '-extensions', 'leaf', '-copy_extensions', 'copy'],
        (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
      );
      child.stdin?.end(request);
    });
  }

  get #configuration(): string {
    return path.join(this.#folder, 'openssl.cnf');
  }

  #create(name: string, subject: string, args: readonly string[]): CertificatePaths {
    const [cert, key] = [path.join(this.#folder, `${name}.crt`), path.join(this.#folder, `${name}.key`)];
    const request = ['req', '-x509', ...KEY_OPTIONS, '-config', this.#configuration, '-days', DAYS];
    execFileSync('openssl', [...request, '-subj', subject, ...args, '-keyout', key, '-out', cert], {
      stdio: 'pipe',
    });
    return { cert, key };
  }
}

const createRunAuthority = async () =>
  new CertificateAuthority(path.join((await runFolder()).folder, 'authority'), 'test authority');

let authority: Promise<CertificateAuthority> | undefined;

/** One authority per process. */
export function runAuthority(): Promise<CertificateAuthority> {
  authority ??= createRunAuthority();
  return authority;
}
