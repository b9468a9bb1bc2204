import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { HostToEnrol } from '../../app/hosts/enrol-hosts.ts';
import type { App } from '../../app/index.ts';
import type { PutResult } from '../../app/put-result.ts';
import type { BodyOf } from '../../contract/route.ts';
import type { BulkResult } from '../../contract/routes/bulk-enrolment.ts';
import { BulkHost, bulkEnrolmentRoutes } from '../../contract/routes/bulk-enrolment.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import type { FieldError } from '../../domain/errors.ts';
import { AppError, invalidBody } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { compileSchema } from '../../lib/schema.ts';
import type { HandlersOf } from '../call.ts';
import { problemOf, statusOf } from '../problems/problem.ts';
import { enrolRequestOf } from '../requests/enrol-request.ts';
import { viewHost } from '../views/host.ts';

type Rows = typeof bulkEnrolmentRoutes;
type Sent = BodyOf<Rows['enrolHosts']>['hosts'][number];

const PATH = bulkEnrolmentRoutes.enrolHosts.path;

const problemsOf = compileSchema(BulkHost);
const isWhole = (_sent: Sent, problems: readonly FieldError[]): _sent is Static<typeof BulkHost> =>
  problems.length === 0;

/** The event loop serves other requests after this many hosts: the schema is slow to explain an invalid host. */
const HOSTS_PER_TURN = 50;

/** The row lets through what has an address; whether the rest is in order is for each host to be told. */
function hostToEnrol({ enrolmentAddress }: App, actor: Actor, sent: Sent): HostToEnrol {
  const problems = problemsOf(sent);
  if (!isWhole(sent, problems)) {
    const address = enrolmentAddress(actor, { address: sent.address });
    return {
      address: address instanceof AppError ? undefined : address,
      request: invalidBody(...problems),
    };
  }
  const address = enrolmentAddress(actor, sent);
  return address instanceof AppError
    ? { address: undefined, request: address }
    : { address, request: enrolRequestOf(address, sent) };
}

/** Where it is in what was sent. */
const within = (index: number, { code, detail, errors }: AppError) =>
  new AppError(code, detail, {
    errors: errors.map(({ path, message }) => ({ path: `/hosts/${index}${path}`, message })),
  });

function viewRefused(refusal: AppError, requestId: string) {
  const status = statusOf(refusal.code);
  return { status, problem: problemOf(refusal, status, requestId) };
}

const viewEnrolled = ({ record, isNew }: PutResult<Host>) => ({
  status: isNew ? 201 : 200,
  host: viewHost(record),
});

/** The log has how many of them were refused and why, and nothing of the body. */
const noteRefused = ({ requestRefused }: App, actor: Actor, { code }: AppError) =>
  requestRefused(actor, {
    method: 'PUT',
    path: PATH,
    subject: PATH,
    ...{ cluster: null, host: null, operation: null },
    status: statusOf(code),
    code,
  });

export const bulkEnrolmentHandlers = (app: App): HandlersOf<Rows> => ({
  enrolHosts: async ({ actor, body }) => {
    const hosts: HostToEnrol[] = [];
    for (const sent of body.hosts) {
      hosts.push(hostToEnrol(app, actor, sent));
      if (hosts.length % HOSTS_PER_TURN === 0) await nextTurn();
    }
    const results = await app.hosts.enrolAll(actor, hosts);
    if (results instanceof AppError) return results;
    const view = (result: PutResult<Host> | AppError, index: number): Static<typeof BulkResult> => ({
      address: hosts[index]?.address ?? body.hosts[index]?.address ?? '',
      ...(result instanceof AppError
        ? viewRefused(within(index, result), actor.requestId)
        : viewEnrolled(result)),
    });
    for (const result of results) {
      if (result instanceof AppError) noteRefused(app, actor, result);
    }
    return { body: results.map(view) };
  },
});
