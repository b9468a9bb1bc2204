import type { Static } from 'typebox';
import type { Client } from '../../client/client.ts';
import type { QueryOf } from '../../contract/route.ts';
import type { AuditEntry, auditRoutes } from '../../contract/routes/audit.ts';

/** As many as the service gives at once. */
const PAGE = 1000;

/** The newest first, page by page until there are enough. */
export async function readAudit(
  client: Pick<Client, 'listAudit'>,
  query: QueryOf<typeof auditRoutes.listAudit>,
  limit: number,
  page = PAGE,
): Promise<readonly Static<typeof AuditEntry>[]> {
  const entries: Static<typeof AuditEntry>[] = [];
  for (;;) {
    const size = Math.min(page, limit - entries.length);
    const after = entries.at(-1)?.id;
    const { body } = await client.listAudit({
      query: { ...query, limit: size, ...(after !== undefined && { after }) },
    });
    entries.push(...body);
    if (body.length < size || entries.length >= limit) return entries;
  }
}
