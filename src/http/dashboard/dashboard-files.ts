import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../lib/errors.ts';

/** In order of preference, smallest first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** RFC 9110, 12.5.3: an encoding is accepted if it or `*` is listed with a weight above zero. */
export function acceptsEncoding(header: string, encoding: Encoding): boolean {
  let isAnyAccepted = false;
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
    const hasZeroWeight = parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter));
    if (name === encoding || (encoding === 'gzip' && name === 'x-gzip')) return !hasZeroWeight;
    if (name === '*') isAnyAccepted = !hasZeroWeight;
  }
  return isAnyAccepted;
}

interface Representation {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface DashboardFile {
  readonly plain: Representation;
  readonly encoded: Readonly<Partial<Record<Encoding, Representation>>>;
}

export interface Dashboard {
  readonly index: DashboardFile;
  /** Keyed by file name below `/assets/`. */
  readonly assets: ReadonlyMap<string, DashboardFile>;
}

const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

const ignoreNotFound = (error: unknown): undefined => {
  if (errorCode(error) !== 'ENOENT') throw error;
};

function toRepresentation(bytes: Buffer): Representation {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, etag: `"${digest.slice(0, 22)}"` };
}

async function readRepresentations(file: string): Promise<DashboardFile> {
  const encoded: Partial<Record<Encoding, Representation>> = {};
  for (const encoding of ENCODINGS) {
    const bytes = await readFile(file + EXTENSIONS[encoding]).catch(ignoreNotFound);
    if (bytes) encoded[encoding] = toRepresentation(bytes);
  }
  return { plain: toRepresentation(await readFile(file)), encoded };
}

async function readBuild(folder: string): Promise<Dashboard> {
  const index = await readRepresentations(path.join(folder, 'index.html'));
  const entries = (await readdir(path.join(folder, 'assets'), { withFileTypes: true }).catch(ignoreNotFound)) ?? [];
  const names = entries.filter(entry => entry.isFile()).map(({ name }) => name);
  const isCompressedVariant = (name: string) =>
    Object.values(EXTENSIONS).some(
      extension => name.endsWith(extension) && names.includes(name.slice(0, -extension.length)),
    );
  const assets = new Map<string, DashboardFile>();
  for (const name of names.filter(fileName => !isCompressedVariant(fileName)))
    assets.set(name, await readRepresentations(path.join(folder, 'assets', name)));
  return { index, assets };
}

/** Returns undefined if there is no complete build. A new build needs a restart of the server. */
export const readDashboard = (folder: string): Promise<Dashboard | undefined> =>
  readBuild(folder).catch(ignoreNotFound);
