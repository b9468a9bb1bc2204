import type { Migration } from 'kysely/migration';
import { initial } from './0001-initial.ts';

/**
 * All migrations by name, in order. Migrations after the first only add, so that servers of the previous
 * release keep working.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
};
