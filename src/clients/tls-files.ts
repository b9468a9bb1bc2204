import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '../lib/error-code.ts';
import { ServerFailure } from './server-failure.ts';

/** Files on the machine of the server, as options name them. */
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

async function ofFile<T>(option: string, path: string, look: (path: string) => Promise<T>): Promise<T> {
  try {
    return await look(path);
  } catch (error) {
    const why = errorCode(error) || 'unknown reason';
    throw new ServerFailure('untrusted', `${option}: ${path} cannot be read (${why})`);
  }
}

/** Changes when one of the files does. */
export async function stateOfFiles(files: TlsFiles): Promise<string> {
  const parts: unknown[] = [];
  for (const [, field, option] of OPTIONS) {
    const path = files[field];
    if (path === undefined) continue;
    const { mtimeMs, size, ino } = await ofFile(option, path, stat);
    parts.push(field, path, mtimeMs, size, ino);
  }
  return JSON.stringify(parts);
}

export async function readTlsFiles(files: TlsFiles): Promise<TlsMaterial> {
  const material: { ca?: string; cert?: string; key?: string } = {};
  for (const [name, field, option] of OPTIONS) {
    const path = files[field];
    if (path !== undefined) material[name] = await ofFile(option, path, file => readFile(file, 'utf8'));
  }
  return material;
}
