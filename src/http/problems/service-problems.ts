import type { ProblemKind } from './problem-kind.ts';

/** Errors of the server, and limits of its load. */
export const SERVICE_PROBLEMS = {
  too_many_failed_logins: {
    status: 429,
    meaning: 'Too many logins failed from this network (an IPv4 address, or a /64 of IPv6).',
    cause: 'Someone is guessing passwords, or a program still uses an old password or token.',
    remedy:
      'Retry after the time in `Retry-After`, and find the program in the audit log. Behind a proxy, check `trust_proxy`.',
    guide: 'admin/tls-and-proxies.md#reverse-proxies',
  },
  internal_error: {
    status: 500,
    meaning: 'The server failed to process the request.',
    cause: 'This is a bug in Hostler. The log has the details under the request ID.',
    remedy: 'Report the bug with these lines of the log.',
    guide: 'admin/troubleshooting.md#responses',
  },
  secret_damaged: {
    status: 500,
    meaning: 'A secret in the store cannot be decrypted.',
    cause: 'The secret was changed in the database, or copied from another place. `detail` names it.',
    remedy: 'Find out who changed the database. Set the secret again, or restore a backup.',
    guide: 'admin/backup-and-restore.md',
  },
  server_busy: {
    status: 503,
    meaning: 'Too many passwords wait to be checked.',
    cause: 'Many clients log in at the same time.',
    remedy: 'Retry after the time in `Retry-After`.',
    guide: 'admin/troubleshooting.md#responses',
  },
  starting: {
    status: 503,
    meaning: 'The server is starting, and its first account does not exist yet.',
    cause: 'This is the first start with this store.',
    remedy: 'Retry after the time in `Retry-After`.',
  },
  too_many_event_subscribers: {
    status: 503,
    meaning: 'The server, or this account on the server, has too many event streams.',
    cause:
      '`limit_event_subscribers` limits the event streams of a server, and `limit_event_subscribers_per_account` those of one account. `detail` says which limit is reached.',
    remedy: 'Retry after the time in `Retry-After`, use another server, or raise the setting.',
  },
  store_unavailable: {
    status: 503,
    meaning: 'The store is temporarily unavailable.',
    cause: 'PostgreSQL is down or unreachable, or the disk of the embedded store is full or failing.',
    remedy:
      'Retry after the time in `Retry-After`. Run `hostler doctor` on the server machine to find the cause.',
    guide: 'admin/troubleshooting.md#the-server',
  },
  store_corrupt: {
    status: 503,
    meaning: 'A part of the store cannot be read.',
    cause: 'The disk is faulty, another program wrote to the store, or a table was dropped.',
    remedy:
      'Stop the server, check the disk and restore a backup. Until then other requests can succeed, but their changes can be lost.',
    guide: 'admin/backup-and-restore.md',
  },
} satisfies Record<string, ProblemKind>;
