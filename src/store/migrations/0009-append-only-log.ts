import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './is-postgres.ts';

const CHANGED = 'the log is never changed';
const REMOVED = 'only what was cut off leaves the log';

const ON_SQLITE = [
  sql`create trigger log_no_update before update on log
    begin select raise(abort, ${sql.lit(CHANGED)}); end`,
  sql`create trigger log_no_delete before delete on log
    when old.id >= (select first_id from log_state)
    begin select raise(abort, ${sql.lit(REMOVED)}); end`,
];

const ON_POSTGRES = [
  sql`create function refuse_in_log() returns trigger language plpgsql as $$
    begin raise exception '%', tg_argv[0]; end $$`,
  sql`create function refuse_uncut_in_log() returns trigger language plpgsql as $$
    begin
      if old.id >= (select first_id from log_state) then raise exception '%', tg_argv[0]; end if;
      return old;
    end $$`,
  sql`create trigger log_no_update before update on log
    for each statement execute function refuse_in_log(${sql.lit(CHANGED)})`,
  sql`create trigger log_no_truncate before truncate on log
    for each statement execute function refuse_in_log(${sql.lit(REMOVED)})`,
  sql`create trigger log_no_delete before delete on log
    for each row execute function refuse_uncut_in_log(${sql.lit(REMOVED)})`,
];

/**
 * The log is only added to, and cut at the front. That keeps our own mistakes and a slip at the database's console away; whoever owns the
 * database can take it off, and is found by the chain.
 */
export const appendOnlyLog: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of isPostgres(db) ? ON_POSTGRES : ON_SQLITE) await statement.execute(db);
  },
};
