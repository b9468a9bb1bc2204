import { expect, test } from 'vitest';
import { tokenNotFound } from '../app/accounts/enrolment-tokens.ts';
import { accountNotFound } from '../app/accounts/manage-accounts.ts';
import { clusterNotFound } from '../app/clusters/read-clusters.ts';
import { driverRecordNotFound } from '../app/driver-records/read-driver-records.ts';
import { hostNotFound } from '../app/hosts/read-hosts.ts';
import { actionNotAllowed } from '../app/operations/control-operation.ts';
import { operationNotFound, operationRunning } from '../app/operations/read-operations.ts';
import { webhookNotFound } from '../app/webhooks.ts';
import type { Problem } from '../contract/fields.ts';
import type { Address } from '../domain/addresses/address.ts';
import { AppError } from '../domain/errors.ts';
import { toRecordName } from '../domain/record-name.ts';
import { resolvePolicy } from '../domain/rollout/policy.ts';
import { ApiError, ServiceUnreachableError } from '../sdk/errors.ts';
import { describeError } from './errors.ts';

const apiError = (status: number, problem: Partial<Problem>) =>
  new ApiError(status, {
    ...{ type: '', title: '', status, detail: '', code: 'invalid_body', request_id: 'r-1' },
    ...problem,
  });

/** Uses errors of the server code, so that the test fails if the server changes their text. */
const toApiError = (status: number, { code, detail, errors }: AppError) =>
  apiError(status, { code, detail, errors: [...errors] });

const WEB = toRecordName('web');
const ID = 'XWiv4QiKvstE32OL';

function invalidPolicyError(): AppError {
  const input = { minHealthyS: 600, timeouts: { readyS: 600 } };
  const error = resolvePolicy('restart', { input, defaults: {}, hasManager: false });
  if (!(error instanceof AppError)) throw new Error('the policy is valid');
  return error;
}

test.each([
  ['user', accountNotFound(WEB)],
  ['cluster', clusterNotFound(WEB)],
  ['container-manager', driverRecordNotFound('container_manager', WEB)],
  ['host', hostNotFound('127.0.0.1' as Address)],
  ['network', driverRecordNotFound('network', WEB)],
  ['operation', operationNotFound(ID)],
  ['token', tokenNotFound(WEB)],
  ['webhook', webhookNotFound(WEB)],
])('describeError() refers to the list for a missing record of `hostler %s`', (command, appError) => {
  expect(describeError(toApiError(404, appError))).toEqual({
    exitCode: 5,
    lines: [`${appError.detail}. See: hostler ${command} list (not_found, request r-1)`],
  });
});

test.each<[string, unknown, number, readonly string[]]>([
  [
    'names one invalid value by its flag',
    toApiError(400, invalidPolicyError()),
    4,
    ['--min-healthy must be less than --timeout ready, which is 600 seconds (invalid_body, request r-1)'],
  ],
  [
    'prints a line for each of several invalid values',
    apiError(400, {
      detail: 'url must be https; events/0 must be an event type',
      errors: [
        { path: '/url', message: 'must be https' },
        { path: '/events/0', message: 'must be an event type' },
      ],
    }),
    4,
    ['2 values are invalid (invalid_body, request r-1)', '  --url must be https', '  --event must be an event type'],
  ],
  [
    'keeps a detail that does not repeat the field errors',
    apiError(400, {
      ...{ detail: 'the body contradicts the request.', code: 'path_mismatch' },
      errors: [{ path: '/name', message: 'must equal web' }],
    }),
    4,
    ['the body contradicts the request (path_mismatch, request r-1)', '  name must equal web'],
  ],
  [
    'suggests commands for a host that is enrolled with other values',
    apiError(409, {
      detail: 'the host 192.0.2.7 is already enrolled with a different ssh_priv_key, ssh_port',
      code: 'host_conflict',
      errors: [
        { path: '/hosts/0/ssh_priv_key', message: 'differs from the enrolled host' },
        { path: '/hosts/0/ssh_port', message: 'differs from the enrolled host' },
      ],
    }),
    4,
    [
      'already enrolled with a different --key and --port. Replace the credentials with: hostler host creds HOST --set FILE. To enrol the host again, remove it first: hostler host remove HOST (host_conflict, request r-1)',
    ],
  ],
  [
    'suggests the removal of a host that is enrolled with another port',
    apiError(409, {
      code: 'host_conflict',
      errors: [{ path: '/ssh_port', message: 'differs from the enrolled host' }],
    }),
    4,
    [
      'already enrolled with a different --port. To enrol the host again, remove it first: hostler host remove HOST (host_conflict, request r-1)',
    ],
  ],
  [
    'refers to the running operation',
    toApiError(409, operationRunning({ kind: 'upgrade', id: ID, cluster: WEB })),
    4,
    [
      `the upgrade ${ID} is running on web; wait until it ends, or cancel it. See: hostler operation show ${ID} (operation_running, request r-1)`,
    ],
  ],
  [
    'suggests a new operation instead of a retry of a finished one',
    toApiError(409, actionNotAllowed({ id: ID, state: 'finished', pause: null, isClusterRemoved: false }, 'retry', [])),
    4,
    [
      `cannot retry operation ${ID}: it has finished. Start a new operation with --hosts HOSTS (invalid_state, request r-1)`,
    ],
  ],
  [
    'suggests the login for missing credentials',
    apiError(401, { detail: 'the password is wrong', code: 'unauthorized', request_id: '' }),
    4,
    ['the password is wrong. Log in with: hostler login (unauthorized)'],
  ],
  [
    'reports a response of another program',
    apiError(502, { detail: '<html>', code: 'unexpected_response', request_id: '' }),
    3,
    ['this is not a response of a Hostler server (HTTP status 502): <html>. Check the server URL and its proxy'],
  ],
  [
    'reports an unreachable server',
    new ServiceUnreachableError(['http://127.0.0.1:1'], new Error('connect ECONNREFUSED 127.0.0.1:1')),
    3,
    [
      'cannot reach http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Check that the server is running, or use another one with --server URL or hostler login URL',
    ],
  ],
  [
    'suggests --ca-file for an untrusted certificate',
    new ServiceUnreachableError(['https://a.example'], new Error('self-signed certificate')),
    3,
    [
      'cannot reach https://a.example: self-signed certificate. Add the CA certificate of the server with --ca-file FILE',
    ],
  ],
  ['suggests --debug for an unexpected error', new Error('boom'), 1, ['boom. Run with --debug for a stack trace']],
])('describeError() %s', (_name, error, exitCode, lines) => {
  expect(describeError(error)).toEqual({ exitCode, lines });
});
