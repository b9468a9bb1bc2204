import { sql } from 'kysely';
import { CHECK_ENTRY_LENGTH, CHECK_HISTORY_LENGTH } from '../../../domain/health-check.ts';

/** The history of a host with an entry more; the oldest makes room. */
export const appendedCheck = (entry: string) =>
  sql<string>`substr(check_history, case when length(check_history) < ${sql.lit(CHECK_HISTORY_LENGTH)} then 1 else ${sql.lit(CHECK_ENTRY_LENGTH + 1)} end) || ${entry}`;
