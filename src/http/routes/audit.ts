import type { App } from '../../app/index.ts';
import { DEFAULT_LIMIT } from '../../contract/fields.ts';
import type { auditRoutes } from '../../contract/routes/audit.ts';
import { answerList } from '../answers/paging.ts';
import type { HandlersOf } from '../call.ts';
import { viewAuditEntry } from '../views/audit.ts';

export const auditHandlers = ({ audit }: App): HandlersOf<typeof auditRoutes> => ({
  listAudit: async ({ actor, query, url }) => {
    const { limit = DEFAULT_LIMIT, after, ...filter } = query;
    return answerList(
      url,
      await audit.list(actor, filter, { limit, after }),
      entry => String(entry.id),
      entry => JSON.stringify(viewAuditEntry(entry)),
    );
  },
});
