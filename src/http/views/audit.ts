import type { Static } from 'typebox';
import type { AuditEntry } from '../../contract/audit.ts';
import type { NumberedOutboxEntry } from '../../domain/outbox.ts';

export const viewAuditEntry = ({
  requestId,
  data,
  ...entry
}: NumberedOutboxEntry): Static<typeof AuditEntry> => ({
  ...entry,
  request_id: requestId,
  data: { ...data },
});
