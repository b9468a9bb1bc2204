import type { Static } from 'typebox';
import type { AuditEntry } from '../../contract/routes/audit.ts';
import type { LogEntry } from '../../domain/events/event-log.ts';

/** `ok`, or the error code of a rejected request or login. */
const resultOf = (type: LogEntry['type'], data: Readonly<Record<string, unknown>>): string =>
  type === 'request.denied' || type === 'account.login_failed' ? String(data['code']) : 'ok';

export function viewAuditEntry({ requestId, dataJson, ...entry }: LogEntry): Static<typeof AuditEntry> {
  const data: Record<string, unknown> = JSON.parse(dataJson);
  return { ...entry, result: resultOf(entry.type, data), request_id: requestId, data };
}
