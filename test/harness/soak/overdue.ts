/** The service looks eight times in the time that something is kept for. */
const LATE_SHARE = 1 / 8;
/** A machine that is busy is later. */
const BUSY_MS = 60_000;

/** What is older than it may be, by table; times are UTC, without a zone. Unlike a number of rows it does not jump about. */
export function overdue(
  oldest: Readonly<Record<string, string | null>>,
  keepMs: number,
  nowMs: number,
): readonly string[] {
  const mostMs = keepMs * (1 + LATE_SHARE) + BUSY_MS;
  return Object.entries(oldest)
    .filter(([, at]) => at !== null && nowMs - Date.parse(`${at}Z`) > mostMs)
    .map(([table, at]) => `${table} still has what is of ${at}, and should keep it for ${keepMs / 1000} s`);
}
