import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { BulkEnrolItem } from '../../app/hosts/bulk-enrol-hosts.ts';
import type { App } from '../../app/index.ts';
import type { PutResult } from '../../app/unit-of-work.ts';
import type { BodyOf } from '../../contract/route-definition.ts';
import type { BulkResult } from '../../contract/routes/hosts.ts';
import { BulkHost, bulkEnrolmentRoutes } from '../../contract/routes/hosts.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import type { FieldError } from '../../domain/errors.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { compileSchema } from '../../lib/schema.ts';
import { toHttpStatus, toProblem } from '../errors/problem-catalog.ts';
import type { HandlersFor } from '../request-context.ts';
import { viewHost } from '../views/host.ts';
import { toEnrolmentRequest } from './hosts.ts';

type Routes = typeof bulkEnrolmentRoutes;
type BulkItemBody = BodyOf<Routes['enrolHosts']>['hosts'][number];

const PATH = bulkEnrolmentRoutes.enrolHosts.path;

const validateBulkHost = compileSchema(BulkHost);
const isValidBulkHost = (_item: BulkItemBody, errors: readonly FieldError[]): _item is Static<typeof BulkHost> =>
  errors.length === 0;

/** Other requests run after this many hosts, because reporting the errors of an invalid host is slow. */
const HOSTS_PER_BATCH = 50;

/** The route validates only the address. The other fields are validated here: each host gets its own result. */
function toBulkItem({ resolveEnrolmentAddress }: App, actor: Actor, item: BulkItemBody): BulkEnrolItem {
  const errors = validateBulkHost(item);
  if (!isValidBulkHost(item, errors)) {
    const address = resolveEnrolmentAddress(actor, { address: item.address });
    return { address: address instanceof AppError ? undefined : address, request: invalidBody(...errors) };
  }
  const address = resolveEnrolmentAddress(actor, item);
  return address instanceof AppError
    ? { address: undefined, request: address }
    : { address, request: toEnrolmentRequest(address, item) };
}

const prefixErrorPaths = (index: number, { code, detail, errors }: AppError) =>
  new AppError(code, detail, {
    errors: errors.map(({ path, message }) => ({ path: `/hosts/${index}${path}`, message })),
  });

/** Counts the rejected hosts in the audit log, without anything from the body. */
const auditError = ({ recordRejection }: App, actor: Actor, { code }: AppError) =>
  recordRejection(actor, {
    method: 'PUT',
    path: PATH,
    subject: PATH,
    cluster: null,
    host: null,
    operation: null,
    status: toHttpStatus(code),
    code,
  });

export const bulkEnrolmentHandlers = (app: App): HandlersFor<Routes> => ({
  enrolHosts: async ({ actor, body }) => {
    const hosts: BulkEnrolItem[] = [];
    for (const item of body.hosts) {
      hosts.push(toBulkItem(app, actor, item));
      if (hosts.length % HOSTS_PER_BATCH === 0) await yieldToEventLoop();
    }
    const results = await app.hosts.bulkEnrol(actor, hosts);
    if (results instanceof AppError) return results;
    const view = (result: PutResult<Host> | AppError, index: number): Static<typeof BulkResult> => {
      const address = hosts[index]?.address ?? body.hosts[index]?.address ?? '';
      if (!(result instanceof AppError))
        return { address, status: result.isNew ? 201 : 200, host: viewHost(result.record) };
      const status = toHttpStatus(result.code);
      return { address, status, problem: toProblem(prefixErrorPaths(index, result), status, actor.requestId) };
    };
    for (const result of results) if (result instanceof AppError) auditError(app, actor, result);
    return { body: results.map(view) };
  },
});
