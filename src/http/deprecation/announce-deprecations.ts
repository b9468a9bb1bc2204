// Says to callers, and to the operator, that they use what is deprecated. Routes without anything deprecated have no hook, so they pay nothing.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deprecation } from '../../contract/deprecation.ts';
import { operationIdOf } from '../../contract/openapi.ts';
import type { Route } from '../../contract/route.ts';
import { isRecord } from '../../lib/is-record.ts';
import type { DeprecatedUses } from './deprecated-uses.ts';
import { deprecationHeaders } from './deprecation-headers.ts';

/** What is called: a row by one of its paths, and the name that this has in the OpenAPI document. */
interface CalledRow {
  readonly operationId: string;
  readonly row: Route;
}

/** Whether something was sent under this name. */
const isSent = (sent: unknown, name: string): boolean => isRecord(sent) && Object.hasOwn(sent, name);

function isUsed({ of }: Deprecation, { query, body }: FastifyRequest): boolean {
  switch (of?.kind) {
    case 'parameter':
      return isSent(query, of.name);
    case 'field':
      return isSent(body, of.name);
    case 'left-out field':
      return !isSent(body, of.name);
    case 'answer field':
      return false;
    default:
      return true;
  }
}

function announce(
  { operationId, row }: CalledRow,
  deprecations: readonly Deprecation[],
  { request, reply, uses }: { request: FastifyRequest; reply: FastifyReply; uses: DeprecatedUses },
): void {
  const params = request.params as Readonly<Record<string, string>>;
  reply.headers(deprecationHeaders(deprecations, operationId, params));
  const { ip: address, actor } = request;
  for (const deprecation of deprecations) uses.note({ row, deprecation, account: actor?.account, address });
}

/** The hook for one path of a row, if there is anything to say. */
export function announcementFor(name: string, row: Route, path: string, uses: DeprecatedUses) {
  const relevant = (row.deprecations ?? []).filter(({ of }) => of?.kind !== 'alias' || of.name === path);
  if (relevant.length === 0) return undefined;
  const called = { operationId: operationIdOf(name, row, path), row };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const used = relevant.filter(each => isUsed(each, request));
    if (used.length > 0) announce(called, used, { request, reply, uses });
  };
}
