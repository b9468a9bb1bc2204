import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../lib/errors.ts';

/** How a file may be sent, the smallest first; without any of them it goes as it is. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Whether `Accept-Encoding` takes an encoding (RFC 9110, 12.5.3): it is named, or `*` is, and not with a weight of zero. */
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

/** Bytes as they are sent, and the tag of just these bytes. */
export interface Representation {
  readonly bytes: Buffer;
  readonly etag: string;
}

export interface DashboardFile {
  readonly plain: Representation;
  readonly encoded: Readonly<Partial<Record<Encoding, Representation>>>;
}

export interface Dashboard {
  readonly index: DashboardFile;
  /** By the names that they have below `/assets/`. */
  readonly assets: ReadonlyMap<string, DashboardFile>;
}

const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };
/** A build that is put in its place meanwhile is there a moment later. */
const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 20;

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

/** What `tools/build/web.js` says of the build; not there where somebody else put the files. */
const readManifest = (folder: string) =>
  readFile(path.join(folder, 'built.json'), 'utf8').catch(ignoreNotFound);

async function readBuild(folder: string): Promise<Dashboard> {
  const index = await readRepresentations(path.join(folder, 'index.html'));
  const entries =
    (await readdir(path.join(folder, 'assets'), { withFileTypes: true }).catch(ignoreNotFound)) ?? [];
  const names = entries.filter(entry => entry.isFile()).map(({ name }) => name);
  const isCompressedVariant = (name: string) =>
    Object.values(EXTENSIONS).some(
      extension => name.endsWith(extension) && names.includes(name.slice(0, -extension.length)),
    );
  const assets = new Map<string, DashboardFile>();
  for (const name of names.filter(each => !isCompressedVariant(each)))
    assets.set(name, await readRepresentations(path.join(folder, 'assets', name)));
  return { index, assets };
}

/** Reads all files of one build, which another may replace meanwhile; `undefined` where there is none. */
export async function readDashboard(folder: string): Promise<Dashboard | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const manifest = await readManifest(folder);
    const dashboard = await readBuild(folder).catch(ignoreNotFound);
    const isConsistent = dashboard !== undefined && manifest === (await readManifest(folder));
    if (isConsistent) return dashboard;
    if (attempt < MAX_ATTEMPTS) await delay(RETRY_DELAY_MS);
  }
  return undefined;
}
