import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IsRecord } from 'typebox';
import { filledIn, variablesIn } from '../contract/path-variables.ts';
import type { BodySize, Route } from '../contract/route.ts';
import { AppError } from '../domain/errors.ts';
import { LiveBody, sendLive } from './answers/live-body.ts';
import { ReadyJson } from './answers/ready-json.ts';
import type { Answer, Params } from './call.ts';
import type { BodyLimit } from './checks/body-limits.ts';
import { repeatProblem } from './checks/path-repeats.ts';
import { Refused } from './problems/refused.ts';
import { parseIfMatch } from './requests/conditional.ts';
import { readIdempotencyKey } from './requests/idempotency-key.ts';
import { readLastEventId } from './requests/last-event-id.ts';
import { isSecure } from './requests/session-cookie.ts';

/** A row and its handler, their types left behind: that they belong together was checked where the handlers are written. */
export interface ServedRoute {
  readonly row: Route;
  readonly handle: (call: unknown) => Promise<Answer<unknown> | AppError>;
}

/** Fastify's notation of a row's path. */
const urlOf = (path: string) => filledIn(path, name => `:${name}`);

const schemaOf = (row: Route) => ({
  ...(variablesIn(row.path).length > 0 && { params: {} }),
  ...(row.query && { querystring: row.query }),
  ...(row.body && { body: row.body }),
});

/** Makes one row of the contract a route of the server. */
export function serveRoute(
  server: FastifyInstance,
  { row, handle }: ServedRoute,
  {
    repeatedPutStatus,
    limits,
  }: {
    repeatedPutStatus: 200 | 201;
    limits: Readonly<Record<BodySize, BodyLimit>>;
  },
): void {
  const foundStatus = row.statuses.includes(201) ? repeatedPutStatus : 200;
  const statusOf = ({ isNew, isOnlyTold }: Answer<unknown>) => {
    if (isNew) return 201;
    return isOnlyTold ? 200 : foundStatus;
  };
  // Keys that the caller chooses say nothing about the path, whatever they are called.
  const hasOwnKeys = IsRecord(row.body);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as Partial<Params>;
    const problem = hasOwnKeys ? undefined : repeatProblem(params, request.body);
    if (problem) throw new Refused(problem);
    const idempotencyKey = row.hasIdempotencyKey ? readIdempotencyKey(request.headers) : null;
    if (idempotencyKey instanceof AppError) throw new Refused(idempotencyKey);
    const lastEventId = row.hasLastEventId ? readLastEventId(request.headers) : null;
    if (lastEventId instanceof AppError) throw new Refused(lastEventId);
    const answer = await handle({
      params,
      query: request.query,
      body: request.body,
      actor: request.actor,
      expected: parseIfMatch(request.headers['if-match']),
      idempotencyKey,
      lastEventId,
      position: request.eventPosition,
      isSecure: isSecure(request),
      accept: request.headers.accept,
      url: request.url,
    });
    if (answer instanceof AppError) throw new Refused(answer);
    if (answer.headers) reply.headers(answer.headers);
    const mediaType = answer.mediaType ?? row.mediaType ?? 'application/json; charset=utf-8';
    reply.type(mediaType).code(statusOf(answer));
    if (answer.body instanceof LiveBody) return sendLive(request, reply, answer.body);
    if (answer.body instanceof ReadyJson) return answer.body.payload;
    return row.mediaType === undefined ? JSON.stringify(answer.body) : answer.body;
  };
  for (const path of [row.path, ...(row.aliases ?? [])]) {
    server.route({
      ...{ method: row.method, url: urlOf(path), config: { row }, schema: schemaOf(row), handler },
      bodyLimit: limits[row.bodySize ?? 'small'].bytes,
    });
  }
}
