import type { FastifyRequest } from 'fastify';
import type { App } from '../../app/index.ts';
import { filledIn, variablesIn } from '../../contract/path-variables.ts';
import type { Route } from '../../contract/route.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { isRecordName } from '../../domain/record-name.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { statusOf } from './problem.ts';

/** The maximum length of a name. */
const MAX_LENGTH = 128;

/** Whether the audit log records a rejected request: changes, reads that `viewer` is not allowed, and missing roles. Not 503. */
export const isOnRecord = ({ method, roles }: Pick<Route, 'method' | 'roles'>, code: ErrorCode): boolean =>
  statusOf(code) !== 503 && (method !== 'GET' || code === 'forbidden' || !roles.includes('viewer'));

/** The records that a path names, as the client sent them, without validation. */
function namedIn({ path }: Pick<Route, 'path'>, params: unknown) {
  const values = new Map<string, unknown>(
    params !== null && typeof params === 'object' ? Object.entries(params) : [],
  );
  const given = (name: string) => harmless(String(values.get(name) ?? ''), MAX_LENGTH);
  const [first] = variablesIn(path);
  const name = given('name');
  return {
    path: filledIn(path, given),
    subject: first === undefined ? path : given(first),
    cluster: path.startsWith('/api/v0/cluster/{name}') && isRecordName(name) ? name : null,
    host: parseAddress(given('address')) ?? null,
    operation: path.startsWith('/api/v0/operation/{id}') ? given('id') : null,
  };
}

/** Records the rejected request of an authenticated client in the audit log. Requests without a route cannot change anything. */
export function noteRefusal(app: Pick<App, 'requestRefused'>, request: FastifyRequest, code: ErrorCode) {
  const { actor, method, params } = request;
  const { row } = request.routeOptions.config;
  if (actor === undefined || row === undefined || !isOnRecord(row, code)) return;
  app.requestRefused(actor, { ...namedIn(row, params), method, status: statusOf(code), code });
}
