import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../lib/errors/error-code.ts';
import type { Encoding } from './accepted-encoding.ts';
import { ENCODINGS } from './accepted-encoding.ts';

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

const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };
/** A build that is put in its place meanwhile is there a moment later. */
const TRIES = 3;
const PAUSE_MS = 20;

const orNothing = (error: unknown): undefined => {
  if (errorCode(error) !== 'ENOENT') throw error;
};

function representationOf(bytes: Buffer): Representation {
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, etag: `"${digest.slice(0, 22)}"` };
}

async function readOne(file: string): Promise<DashboardFile> {
  const encoded: Partial<Record<Encoding, Representation>> = {};
  for (const encoding of ENCODINGS) {
    const bytes = await readFile(file + ENDINGS[encoding]).catch(orNothing);
    if (bytes) encoded[encoding] = representationOf(bytes);
  }
  return { plain: representationOf(await readFile(file)), encoded };
}

/** What `tools/build/web.js` says of the build; not there where somebody else put the files. */
const readRecord = (folder: string) => readFile(path.join(folder, 'built.json'), 'utf8').catch(orNothing);

async function readOnce(folder: string): Promise<Dashboard> {
  const index = await readOne(path.join(folder, 'index.html'));
  const entries =
    (await readdir(path.join(folder, 'assets'), { withFileTypes: true }).catch(orNothing)) ?? [];
  const names = entries.filter(entry => entry.isFile()).map(({ name }) => name);
  const isNeighbour = (name: string) =>
    Object.values(ENDINGS).some(
      ending => name.endsWith(ending) && names.includes(name.slice(0, -ending.length)),
    );
  const assets = new Map<string, DashboardFile>();
  for (const name of names.filter(each => !isNeighbour(each)))
    assets.set(name, await readOne(path.join(folder, 'assets', name)));
  return { index, assets };
}

/** Reads all files of one build, which another may replace meanwhile; `undefined` where there is none. */
export async function readDashboard(folder: string): Promise<Dashboard | undefined> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const before = await readRecord(folder);
    const dashboard = await readOnce(folder).catch(orNothing);
    const isWhole = dashboard !== undefined && before === (await readRecord(folder));
    if (isWhole) return dashboard;
    if (tries < TRIES) await delay(PAUSE_MS);
  }
  return undefined;
}
