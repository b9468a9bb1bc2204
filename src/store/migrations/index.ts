import type { Migration } from 'kysely/migration';
import { initial } from './0001-schema.ts';

/** In order. Later migrations only add, so that servers of the previous release keep working. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-schema': initial,
};
