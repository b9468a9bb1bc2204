import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

export const STORE_KINDS = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/** The stores that can be had here; without PostgreSQL its tests are left out, and the run says so once. */
export const availableStores: readonly StoreKind[] = STORE_KINDS.filter(
  kind => kind === 'sqlite' || inject('postgresUrl') !== '',
);

/** A place for a store that nobody else has, and the settings that name it. */
export interface StorePlace {
  readonly kind: StoreKind;
  readonly folder: string;
  /** The value of the setting `store`. */
  readonly location: string;
  remove(): Promise<void>;
}

async function onServer(statement: string) {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(statement);
  await client.end();
}

let count = 0;

export async function makeStorePlace(kind: StoreKind): Promise<StorePlace> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-test-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (kind === 'sqlite') return { kind, folder, location: 'sqlite', remove: async () => removeFolder() };
  count += 1;
  const name = `test_${process.pid}_${count}`;
  await onServer(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    kind,
    folder,
    location: url.href,
    remove: async () => {
      removeFolder();
      await onServer(`drop database if exists ${name} with (force)`);
    },
  };
}
