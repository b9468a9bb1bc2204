import type { ProblemKind } from './problem-kind.ts';

/** What is wrong on the side of the service, or too much for it. */
export const SERVICE_PROBLEMS = {
  too_many_failed_logins: {
    status: 429,
    meaning: 'Too many logins failed from this network: an IPv4 address, or a /64 of IPv6.',
    cause: 'An attacker guesses passwords, or a program uses an old one.',
    remedy:
      'Wait as `Retry-After` says; find the program in the audit log. Behind a proxy, look at `trust_proxy`.',
    guide: 'tls-and-proxy.md#behind-a-proxy',
  },
  internal_error: {
    status: 500,
    meaning: "A fault of Hostler's own.",
    cause: 'The log has more under the request id.',
    remedy: 'Please report it, with those lines of the log.',
    guide: 'troubleshooting.md#answers',
  },
  secret_damaged: {
    status: 500,
    meaning: 'A secret in the store cannot be decrypted.',
    cause: 'It was changed in the database, or copied from another place. `detail` names it.',
    remedy: 'Find out who changed the database. Set the secret again, or restore a backup.',
    guide: 'backup.md',
  },
  server_busy: {
    status: 503,
    meaning: 'More passwords are being checked than the service can do at once.',
    cause: 'Many log in at the same moment.',
    remedy: 'Try again as `Retry-After` says.',
    guide: 'troubleshooting.md#answers',
  },
  starting: {
    status: 503,
    meaning: 'The service is starting: its first account does not exist yet.',
    cause: 'It is the first start on this store.',
    remedy: 'Try again as `Retry-After` says.',
  },
  too_many_event_readers: {
    status: 503,
    meaning: 'As many read events on this server as it takes, or as one account may have.',
    cause:
      '`limit_event_readers` bounds them, and `limit_account_event_readers` those of one account; `detail` says which.',
    remedy: 'Try again as `Retry-After` says, or another server, or raise that setting.',
  },
  store_unavailable: {
    status: 503,
    meaning: 'The store cannot be reached at this moment.',
    cause: 'PostgreSQL is away, or the disk of the embedded store is full or broken.',
    remedy:
      'Try again as `Retry-After` says; `hostler doctor` on the machine of the service says what is wrong.',
    guide: 'troubleshooting.md#the-service',
  },
  store_damaged: {
    status: 503,
    meaning: 'A part of the store cannot be read.',
    cause: 'The disk is faulty, another program wrote to the store, or a table was dropped.',
    remedy:
      'Stop the service, check the disk, and restore a backup. Other requests may still succeed; what they write can be lost.',
    guide: 'backup.md',
  },
} satisfies Record<string, ProblemKind>;
