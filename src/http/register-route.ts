import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { IsRecord } from 'typebox';
import { expandPath, findPathVariables } from '../contract/path-variables.ts';
import type { BodySize, RouteDefinition } from '../contract/route-definition.ts';
import { AppError } from '../domain/errors.ts';
import { AppErrorException } from './errors/error-responses.ts';
import type { HandlerResult, PathParams } from './request-context.ts';
import { isTlsRequest } from './requests/credential-headers.ts';
import type { BodyLimit } from './requests/json-body.ts';
import { parseIfMatch, readIdempotencyKey, readLastEventId } from './requests/request-headers.ts';
import { checkBodyMatchesPath } from './requests/validation.ts';
import { StreamingBody, sendStream } from './responses/event-stream.ts';
import { SerializedJson } from './responses/serialized-json.ts';

/** A route definition with its handler, without their types. `Handlers` checks that they match. */
export interface RegisteredRoute {
  readonly route: RouteDefinition;
  readonly handle: (context: unknown) => Promise<HandlerResult<unknown> | AppError>;
}

const toFastifyPath = (path: string) => expandPath(path, name => `:${name}`);

const toFastifySchema = (route: RouteDefinition) => ({
  ...(findPathVariables(route.path).length > 0 && { params: {} }),
  ...(route.query && { querystring: route.query }),
  ...(route.body && { body: route.body }),
});

export function registerRoute(
  server: FastifyInstance,
  { route, handle }: RegisteredRoute,
  {
    repeatedPutStatus,
    limits,
  }: {
    repeatedPutStatus: 200 | 201;
    limits: Readonly<Record<BodySize, BodyLimit>>;
  },
): void {
  const existingStatus = route.statuses.includes(201) ? repeatedPutStatus : 200;
  const toStatus = ({ isNew, isDryRun }: HandlerResult<unknown>) => {
    if (isNew) return 201;
    return isDryRun ? 200 : existingStatus;
  };
  // The keys of a record body are data. A key such as `name` does not refer to the path.
  const hasDynamicKeys = IsRecord(route.body);
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as Partial<PathParams>;
    const mismatch = hasDynamicKeys ? undefined : checkBodyMatchesPath(params, request.body);
    if (mismatch) throw new AppErrorException(mismatch);
    const idempotencyKey = route.supportsIdempotencyKey ? readIdempotencyKey(request.headers) : null;
    if (idempotencyKey instanceof AppError) throw new AppErrorException(idempotencyKey);
    const lastEventId = route.supportsLastEventId ? readLastEventId(request.headers) : null;
    if (lastEventId instanceof AppError) throw new AppErrorException(lastEventId);
    const result = await handle({
      params,
      query: request.query,
      body: request.body,
      actor: request.actor,
      ifMatch: parseIfMatch(request.headers['if-match']),
      idempotencyKey,
      lastEventId,
      eventPosition: request.eventPosition,
      isTls: isTlsRequest(request),
      accept: request.headers.accept,
      url: request.url,
    });
    if (result instanceof AppError) throw new AppErrorException(result);
    if (result.headers) reply.headers(result.headers);
    const mediaType = result.mediaType ?? route.mediaType ?? 'application/json; charset=utf-8';
    reply.type(mediaType).code(toStatus(result));
    if (result.body instanceof StreamingBody) return sendStream(request, reply, result.body);
    if (result.body instanceof SerializedJson) return result.body.payload;
    return route.mediaType === undefined ? JSON.stringify(result.body) : result.body;
  };
  for (const path of [route.path, ...(route.aliases ?? [])]) {
    server.route({
      ...{
        method: route.method,
        url: toFastifyPath(path),
        config: { route },
        schema: toFastifySchema(route),
        handler,
      },
      bodyLimit: limits[route.bodySize ?? 'small'].bytes,
    });
  }
}
