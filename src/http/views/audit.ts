import type { Static } from 'typebox';
import type { AuditEntry } from '../../contract/audit.ts';
import type { LogEntry } from '../../domain/log.ts';

export const viewAuditEntry = ({
  requestId,
  dataJson,
  hash: _,
  ...entry
}: LogEntry): Static<typeof AuditEntry> => ({
  ...entry,
  request_id: requestId,
  data: JSON.parse(dataJson),
});
