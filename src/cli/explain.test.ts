import { expect, test } from 'vitest';
import { RequestRefused, ServiceUnreachable } from '../client/client.ts';
import type { Problem } from '../contract/problem.ts';
import { explain } from './explain.ts';

const rejected = (status: number, problem: Partial<Problem>) =>
  new RequestRefused(status, {
    ...{ type: '', title: '', status, detail: '', code: 'invalid_body', request_id: 'r-1' },
    ...problem,
  });

test.each<[string, unknown, number, readonly string[]]>([
  [
    'one invalid value is named by its flag',
    rejected(400, {
      detail: 'policy/min_healthy_s must be less than timeouts.ready, which is 600 seconds',
      errors: [
        { path: '/policy/min_healthy_s', message: 'must be less than timeouts.ready, which is 600 seconds' },
      ],
    }),
    4,
    ['--min-healthy must be less than --timeout ready, which is 600 seconds (invalid_body, request r-1)'],
  ],
  [
    'several invalid values have a line each',
    rejected(400, {
      detail: 'url must be https; events/0 must be an event type',
      errors: [
        { path: '/url', message: 'must be https' },
        { path: '/events/0', message: 'must be an event type' },
      ],
    }),
    4,
    [
      '2 values are invalid (invalid_body, request r-1)',
      '  --url must be https',
      '  --event must be an event type',
    ],
  ],
  [
    'a detail of its own stays',
    rejected(400, {
      ...{ detail: 'the body contradicts the request.', code: 'path_mismatch' },
      errors: [{ path: '/name', message: 'must equal web' }],
    }),
    4,
    ['the body contradicts the request (path_mismatch, request r-1)', '  name must equal web'],
  ],
  [
    'a missing record leads to the list',
    rejected(404, { detail: 'the account bob does not exist', code: 'not_found' }),
    4,
    ['the account bob does not exist. See: hostler user list (not_found, request r-1)'],
  ],
  [
    'a running operation leads to it',
    rejected(409, { detail: 'the upgrade XWiv4QiKvstE32OL is running on web', code: 'operation_running' }),
    4,
    [
      'the upgrade XWiv4QiKvstE32OL is running on web. See: hostler operation show XWiv4QiKvstE32OL (operation_running, request r-1)',
    ],
  ],
  [
    'missing credentials lead to the login',
    rejected(401, { detail: 'the password is wrong', code: 'unauthorized', request_id: '' }),
    4,
    ['the password is wrong. Log in with: hostler login (unauthorized)'],
  ],
  [
    'another program is not a Hostler server',
    rejected(502, { detail: '<html>', code: 'not_hostler', request_id: '' }),
    3,
    [
      'this is not a response of a Hostler server (HTTP status 502): <html>. Check the server URL and its proxy',
    ],
  ],
  [
    'a server that does not answer',
    new ServiceUnreachable(['http://127.0.0.1:1'], new Error('connect ECONNREFUSED 127.0.0.1:1')),
    3,
    [
      'cannot reach http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Check that the server is running, or use another one with --server URL or hostler login URL',
    ],
  ],
  [
    'a certificate that is not trusted',
    new ServiceUnreachable(['https://a.example'], new Error('self-signed certificate')),
    3,
    [
      'cannot reach https://a.example: self-signed certificate. Add the CA certificate of the server with --ca-file FILE',
    ],
  ],
  ['a bug', new Error('boom'), 1, ['boom. Run with --debug for a stack trace']],
])('%s', (_what, error, exitCode, lines) => {
  expect(explain(error)).toEqual({ exitCode, lines });
});
