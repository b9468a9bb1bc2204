import type { App } from '../../app/index.ts';
import type { eventRoutes } from '../../contract/routes/events.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { Refusal, refuseFields } from '../../domain/errors.ts';
import type { HandlersOf } from '../call.ts';
import { EventStream } from '../event-stream.ts';
import { LiveBody } from '../live-body.ts';

const badHost = () =>
  refuseFields('invalid_query', [{ path: '/host', message: 'must be an IPv4 or IPv6 address' }], 'the query');

/** nginx would gather what is sent, and give it on late. */
const HEADERS = { 'x-accel-buffering': 'no' };

export const eventHandlers = ({ events }: App): HandlersOf<typeof eventRoutes> => ({
  readEvents: async ({ actor, query, lastEventId, position }) => {
    const { after, cluster, host: text, operation, output = false } = query;
    const host = text === undefined ? undefined : parseAddress(text);
    if (text !== undefined && host === undefined) return badHost();
    const begin = await events.follow(actor, {
      after: lastEventId ?? after,
      filter: { cluster, host, operation },
      wantsOutput: output,
      admittedPosition: position,
    });
    if (begin instanceof Refusal) return begin;
    return { body: new LiveBody(response => begin(new EventStream(response))), headers: HEADERS };
  },
});
