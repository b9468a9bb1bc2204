import type { App } from '../../app/index.ts';
import { DEFAULT_LIMIT } from '../../contract/fields.ts';
import type { AuditEntry, auditRoutes, eventRoutes } from '../../contract/routes/events.ts';
import { AppError } from '../../domain/errors.ts';
import type { LogEntry } from '../../domain/events/event-log.ts';
import { respond } from '../register-route.ts';
import type { HandlersFor, View } from '../request-context.ts';
import { SseStream, StreamingBody } from '../responses/event-stream.ts';
import { stringifyView, toListResult } from '../responses/pagination.ts';
import { parseHostParameter } from './query-parameters.ts';

/** Disables response buffering in nginx. */
const STREAM_HEADERS = { 'x-accel-buffering': 'no' };

/** `ok`, or the error code of a rejected request or login. */
const toResult = (type: LogEntry['type'], data: Readonly<Record<string, unknown>>): string =>
  type === 'request.denied' || type === 'account.login_failed' ? String(data['code']) : 'ok';

function viewAuditEntry({ requestId, dataJson, ...entry }: LogEntry): View<typeof AuditEntry> {
  const data: Record<string, unknown> = JSON.parse(dataJson);
  return { ...entry, result: toResult(entry.type, data), request_id: requestId, data };
}

type Routes = typeof eventRoutes & typeof auditRoutes;

export const eventHandlers = ({ events, audit }: App): HandlersFor<Routes> => ({
  streamEvents: async ({ actor, query, lastEventId, eventPosition }) => {
    const { after, cluster, operation, output = false } = query;
    const host = parseHostParameter(query);
    if (host instanceof AppError) return host;
    const startStream = await events.subscribe(actor, {
      after: lastEventId ?? after,
      filter: { cluster, host, operation },
      includesOutput: output,
      authorizedAtPosition: eventPosition,
    });
    return respond(startStream, start => new StreamingBody(response => start(new SseStream(response))), {
      headers: () => STREAM_HEADERS,
    });
  },

  listAudit: async ({ actor, query, url }) => {
    const { limit = DEFAULT_LIMIT, after, ...filter } = query;
    const page = await audit.list(actor, filter, { limit, after });
    return toListResult(url, page, entry => String(entry.id), stringifyView(viewAuditEntry));
  },
});
