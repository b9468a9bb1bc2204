// Data as each released version has left it, kept as text: what the present version has to start on; and what could be asked of each, as lines. `npm run keep-data` adds that of a
// release (CONTRIBUTING.md, Releasing); nothing ever changes what is there.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { StoreKind } from '../harness/stores/stores.ts';
import type { Interface } from './interface.ts';

export const KEPT = path.join(import.meta.dirname, 'kept');

/** What was told of the data when it was made, and what opens it. */
export interface Kept {
  /** Made for these tests, and used nowhere else. */
  readonly secretKey: string;
  /** By account. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Of a session, with its name. */
  readonly cookie: string;
  /** Of an enrolment token. */
  readonly tokenSecret: string;
  /** What was under way, and on which pretend hosts. */
  readonly operation: { readonly id: string; readonly hosts: readonly string[] };
  /** What the service answered to GET, by path. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The oldest first. */
export const keptVersions = (): readonly string[] =>
  readdirSync(KEPT).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

const read = (version: string, name: string) => readFileSync(path.join(KEPT, version, name), 'utf8');

export const keptAbout = (version: string, kind: StoreKind): Kept =>
  JSON.parse(read(version, `${kind}.json`));

/** What that version could be asked for. */
export const keptInterface = (version: string): Interface => JSON.parse(read(version, 'interface.json'));

/** Statements that make the store again in an empty one. */
export const keptStatements = (version: string, kind: StoreKind): string => read(version, `${kind}.sql`);
