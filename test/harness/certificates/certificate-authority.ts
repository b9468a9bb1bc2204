import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from '../real-hosts/run-folder.ts';
import { runTool } from '../real-hosts/run-tool.ts';
import type { CertificatePaths } from './certificates.ts';

const KEY_OPTIONS = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const DAYS = '30';

export interface Authority {
  readonly caPath: string;
  readonly keyPath: string;
  /**
   * Issues a certificate for a subject such as `/O=group/CN=name`, valid for servers at these addresses and
   * for clients.
   */
  issue(subject: string, addresses?: readonly string[]): Promise<CertificatePaths>;
}

async function issue(
  folder: string,
  ca: CertificatePaths,
  subject: string,
  addresses: readonly string[],
): Promise<CertificatePaths> {
  const [cert, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];
  const [request, extensions] = [path.join(folder, 'request.pem'), path.join(folder, 'extensions')];
  const names = addresses.map(address => `IP:${address}`).join(',');
  const lines = ['extendedKeyUsage=serverAuth,clientAuth', ...(names ? [`subjectAltName=${names}`] : [])];
  writeFileSync(extensions, `${lines.join('\n')}\n`);
  await runTool(['openssl', 'req', ...KEY_OPTIONS, '-subj', subject, '-keyout', key, '-out', request]);
  const serial = `0x${randomBytes(8).toString('hex')}`;
  await runTool([
    ...(['openssl', 'x509', '-req', '-days', DAYS, '-in', request, '-out', cert, '-set_serial', serial] as const),
    ...['-CA', ca.cert, '-CAkey', ca.key, '-extfile', extensions],
  ]);
  return { cert, key };
}

export async function createAuthority(folder: string): Promise<Authority> {
  const [cert, key] = [path.join(folder, 'ca.crt'), path.join(folder, 'ca.key')];
  await runTool([
    ...(['openssl', 'req', '-x509', ...KEY_OPTIONS, '-days', DAYS, '-subj', '/CN=test authority'] as const),
    ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign,digitalSignature', '-keyout', key, '-out', cert],
  ]);
  return {
    caPath: cert,
    keyPath: key,
    issue: (subject, addresses = []) =>
      issue(mkdtempSync(path.join(folder, 'certificate-')), { cert, key }, subject, addresses),
  };
}

const createRunAuthority = async (): Promise<Authority> => {
  const folder = path.join((await runFolder()).folder, 'authority');
  mkdirSync(folder, { mode: 0o700 });
  return createAuthority(folder);
};

let authority: Promise<Authority> | undefined;

/** One authority per process. */
export function runAuthority(): Promise<Authority> {
  authority ??= createRunAuthority();
  return authority;
}
