import { X509Certificate } from 'node:crypto';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { fileFingerprint, readRegularFile } from '../../lib/files.ts';
import { RemoteServerError } from './remote-error.ts';

export interface TlsFiles {
  /** The CA of the server certificate; missing: the CAs of the system. */
  readonly caPath?: string | undefined;
  readonly certificatePath?: string | undefined;
  readonly certificateKeyPath?: string | undefined;
}

export interface TlsCertificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const OPTIONS = [
  ['ca', 'caPath', 'ca_path'],
  ['cert', 'certificatePath', 'certificate_path'],
  ['key', 'certificateKeyPath', 'certificate_key_path'],
] as const;

/** The CA bundle of a whole system has a quarter of this size. */
const MAX_BYTES = 1024 * 1024;

async function fingerprintFile(option: string, path: string): Promise<string> {
  try {
    return await fileFingerprint(path);
  } catch (error) {
    const code = errorCode(error) || 'unknown reason';
    throw new RemoteServerError('untrusted', `${option}: ${path} cannot be read (${code})`);
  }
}

async function readPem(option: string, path: string): Promise<string> {
  try {
    return await readRegularFile(path, MAX_BYTES);
  } catch (error) {
    throw new RemoteServerError('untrusted', `${option}: ${errorMessage(error)}`);
  }
}

export async function fingerprintFiles(files: TlsFiles): Promise<string> {
  const parts: string[] = [];
  for (const [, field, option] of OPTIONS) {
    const path = files[field];
    if (path === undefined) continue;
    parts.push(field, path, await fingerprintFile(option, path));
  }
  return JSON.stringify(parts);
}

export async function readTlsFiles(files: TlsFiles): Promise<TlsCertificates> {
  const certificates: { ca?: string; cert?: string; key?: string } = {};
  for (const [name, field, option] of OPTIONS) {
    const path = files[field];
    if (path !== undefined) certificates[name] = await readPem(option, path);
  }
  return certificates;
}

/** Node accepts any text as a CA bundle and ignores invalid content. */
export function assertCertificates(files: TlsFiles, certificates: TlsCertificates): void {
  for (const [name, field, option] of OPTIONS) {
    const content = certificates[name];
    if (content === undefined || name === 'key') continue;
    try {
      new X509Certificate(content);
    } catch {
      throw new RemoteServerError('untrusted', `${option}: ${files[field]} contains no certificate (PEM)`);
    }
  }
}
