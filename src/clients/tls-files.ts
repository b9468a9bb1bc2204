import { X509Certificate } from 'node:crypto';
import { errorCode } from '../lib/errors/error-code.ts';
import { messageOf } from '../lib/errors/message-of.ts';
import { fileMark } from '../lib/file-mark.ts';
import { readRegularFile } from '../lib/read-regular-file.ts';
import { ServerFailure } from './server-failure.ts';

/** Files on the server machine, as options name them. */
export interface TlsFiles {
  /** The authority that signs the other side's certificate; missing: those of the system. */
  readonly caPath?: string | undefined;
  readonly certificatePath?: string | undefined;
  readonly certificateKeyPath?: string | undefined;
}

export interface TlsMaterial {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const OPTIONS = [
  ['ca', 'caPath', 'ca_path'],
  ['cert', 'certificatePath', 'certificate_path'],
  ['key', 'certificateKeyPath', 'certificate_key_path'],
] as const;

/** The authorities of a whole system have a quarter of it. */
const MAX_BYTES = 1024 * 1024;

async function markOf(option: string, path: string): Promise<string> {
  try {
    return await fileMark(path);
  } catch (error) {
    const why = errorCode(error) || 'unknown reason';
    throw new ServerFailure('untrusted', `${option}: ${path} cannot be read (${why})`);
  }
}

async function contentOf(option: string, path: string): Promise<string> {
  try {
    return await readRegularFile(path, MAX_BYTES);
  } catch (error) {
    throw new ServerFailure('untrusted', `${option}: ${messageOf(error)}`);
  }
}

/** Changes when one of the files does. */
export async function stateOfFiles(files: TlsFiles): Promise<string> {
  const parts: string[] = [];
  for (const [, field, option] of OPTIONS) {
    const path = files[field];
    if (path === undefined) continue;
    parts.push(field, path, await markOf(option, path));
  }
  return JSON.stringify(parts);
}

export async function readTlsFiles(files: TlsFiles): Promise<TlsMaterial> {
  const material: { ca?: string; cert?: string; key?: string } = {};
  for (const [name, field, option] of OPTIONS) {
    const path = files[field];
    if (path !== undefined) material[name] = await contentOf(option, path);
  }
  return material;
}

/** TLS itself takes any text for a list of authorities, if need be an empty one. */
export function refuseNoCertificate(files: TlsFiles, material: TlsMaterial): void {
  for (const [name, field, option] of OPTIONS) {
    const content = material[name];
    if (content === undefined || name === 'key') continue;
    try {
      new X509Certificate(content);
    } catch {
      throw new ServerFailure('untrusted', `${option}: ${files[field]} contains no certificate (PEM)`);
    }
  }
}
