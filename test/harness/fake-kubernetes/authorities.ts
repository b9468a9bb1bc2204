// Certificate authorities shared by all running servers.

import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CertificateAuthority } from '../certificates/certificate-authority.ts';
import type { CertificatePaths } from '../certificates/certificates.ts';

const authorities = new Map<string, { folder: string; authority: CertificateAuthority }>();

function getAuthority(name: string): CertificateAuthority {
  const existing = authorities.get(name);
  if (existing !== undefined) return existing.authority;
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-kubernetes-'));
  const authority = new CertificateAuthority(folder, name);
  authorities.set(name, { folder, authority });
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
    for (const { folder } of authorities.values()) rmSync(folder, { recursive: true });
    authorities.clear();
  };
}

/** Format of `kubeadm join --discovery-token-ca-cert-hash`. */
export function hashAuthority({ ca }: CertificateAuthority): string {
  const publicKey = new X509Certificate(ca).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(publicKey).digest('hex')}`;
}

/** A client certificate of the Kubernetes user. */
export const issueForUser = (user: string, groups: readonly string[]): CertificatePaths =>
  authority().issue([...groups.map(group => `/O=${group}`), `/CN=${user}`].join(''));

/** `own` is valid; `other authority` is untrusted; `other name` is for another host. */
export type PresentedCertificate = 'own' | 'other authority' | 'other name';

/** Client certificates are always verified against the own authority. */
export function secureContext(presented: PresentedCertificate) {
  const signer = getAuthority(presented === 'other authority' ? 'another authority' : 'kubernetes');
  const names = presented === 'other name' ? ['DNS:elsewhere.invalid'] : ['IP:127.0.0.1', 'DNS:localhost'];
  const { cert, key } = signer.issue('/CN=kube-apiserver', names);
  return { cert: readFileSync(cert), key: readFileSync(key), ca: [authority().ca] };
}
