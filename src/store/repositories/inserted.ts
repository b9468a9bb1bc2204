import type { InsertResult } from 'kysely';

/** Whether an insert that does nothing on a conflict did something. */
export const wasInserted = (result: InsertResult): boolean => (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
