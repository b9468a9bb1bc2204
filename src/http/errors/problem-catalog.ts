import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../contract/fields.ts';
import type { AppError, ErrorCode } from '../../domain/errors.ts';
import { CONFLICT_PROBLEMS } from './conflict-problems.ts';
import type { ProblemDefinition } from './problem-definition.ts';
import { defineProblems } from './problem-definition.ts';
import { REQUEST_PROBLEMS } from './request-problems.ts';

const SERVICE_PROBLEMS = defineProblems(503, {
  too_many_failed_logins: {
    status: 429,
    summary: 'Too many logins failed from this network (an IPv4 address, or a /64 of IPv6).',
    cause: 'Someone is guessing passwords, or a program still uses an old password or token.',
    action:
      'Retry after the time in `Retry-After`, and find the program in the audit log. Behind a proxy, check `trust_proxy`.',
    docs: 'admin/tls-and-proxies.md#reverse-proxies',
  },
  too_many_requests: {
    status: 429,
    summary: 'This account has sent too many requests of this kind.',
    cause: '`detail` has the limit.',
    action: 'Retry after the time in `Retry-After`.',
  },
  internal_error: {
    status: 500,
    summary: 'The server failed to process the request.',
    cause: 'This is a bug in Hostler. The log has the details under the request ID.',
    action: 'Report the bug with these lines of the log.',
    docs: 'admin/troubleshooting.md#responses',
  },
  secret_damaged: {
    status: 500,
    summary: 'A secret in the store cannot be decrypted.',
    cause: 'The secret was changed in the database, or copied from another place. `detail` names it.',
    action: 'Find out who changed the database. Set the secret again, or restore a backup.',
    docs: 'admin/backup-and-restore.md',
  },
  dns_unavailable: {
    summary: 'The server could not resolve a DNS name.',
    cause: 'The DNS server does not respond, or responds with an error. `detail` has the error code.',
    action: 'Check the DNS settings of the server machine, or enter the address of the host.',
  },
  server_busy: {
    summary: 'Too many passwords wait to be checked, or too many names to be resolved.',
    cause: 'Many clients send such requests at the same time.',
    action: 'Retry after the time in `Retry-After`.',
    docs: 'admin/troubleshooting.md#responses',
  },
  starting: {
    summary: 'The server is starting, and its first account does not exist yet.',
    cause: 'This is the first start with this store.',
    action: 'Retry after the time in `Retry-After`.',
  },
  too_many_event_subscribers: {
    summary: 'The server, or this account on the server, has too many event streams.',
    cause:
      '`limit_event_subscribers` limits the event streams of a server. One account can use 40 % of them. `detail` says which limit is reached.',
    action: 'Retry after the time in `Retry-After`, use another server, or raise the setting.',
  },
  store_unavailable: {
    summary: 'The store is temporarily unavailable.',
    cause: 'PostgreSQL is down or unreachable, or the disk of the embedded store is full or failing.',
    action: 'Retry after the time in `Retry-After`. Run `hostler doctor` on the server machine to find the cause.',
    docs: 'admin/troubleshooting.md#the-server',
  },
  store_corrupt: {
    summary: 'A part of the store cannot be read.',
    cause: 'The disk is faulty, another program wrote to the store, or a table was dropped.',
    action:
      'Stop the server, check the disk and restore a backup. Until then other requests can succeed, but their changes can be lost.',
    docs: 'admin/backup-and-restore.md',
  },
});

/** `docs/reference/errors.md` and the page at /docs are generated from it. */
export const PROBLEM_CATALOG: Readonly<Record<ErrorCode, ProblemDefinition>> = {
  ...REQUEST_PROBLEMS,
  ...CONFLICT_PROBLEMS,
  ...SERVICE_PROBLEMS,
};

// Problem documents (RFC 9457) are the format of every error response.

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

export const toHttpStatus = (code: ErrorCode): number => PROBLEM_CATALOG[code].status;

export const toProblem = ({ code, detail, errors }: AppError, status: number, requestId: string): Problem => ({
  type: `/docs#${code}`,
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
  code,
  request_id: requestId,
  ...(errors.length > 0 && { errors: [...errors] }),
});
