import type { App } from '../../app/index.ts';
import type { eventRoutes } from '../../contract/routes/events.ts';
import { AppError } from '../../domain/errors.ts';
import { EventStream } from '../answers/event-stream.ts';
import { LiveBody } from '../answers/live-body.ts';
import type { HandlersOf } from '../call.ts';
import { hostInQuery } from '../requests/host-in-query.ts';

/** nginx would gather what is sent, and give it on late. */
const HEADERS = { 'x-accel-buffering': 'no' };

export const eventHandlers = ({ events }: App): HandlersOf<typeof eventRoutes> => ({
  streamEvents: async ({ actor, query, lastEventId, position }) => {
    const { after, cluster, operation, output = false } = query;
    const host = hostInQuery(query);
    if (host instanceof AppError) return host;
    const begin = await events.follow(actor, {
      after: lastEventId ?? after,
      filter: { cluster, host, operation },
      includesOutput: output,
      authorizedAtPosition: position,
    });
    if (begin instanceof AppError) return begin;
    return { body: new LiveBody(response => begin(new EventStream(response))), headers: HEADERS };
  },
});
