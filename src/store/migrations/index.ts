import type { Migration } from 'kysely/migration';
import { records } from './0001-records.ts';
import { lists } from './0002-lists.ts';
import { identity } from './0003-identity.ts';
import { engine } from './0004-engine.ts';
import { transports } from './0005-transports.ts';
import { operations } from './0006-operations.ts';
import { hostSources } from './0007-host-sources.ts';
import { events } from './0008-events.ts';
import { appendOnlyLog } from './0009-append-only-log.ts';
import { enrolmentTokens } from './0010-enrolment-tokens.ts';
import { sessions } from './0011-sessions.ts';
import { checks } from './0012-checks.ts';
import { traces } from './0013-traces.ts';
import { contacts } from './0014-contacts.ts';
import { signInNetworks } from './0015-sign-in-networks.ts';
import { sessionConfirmations } from './0016-session-confirmations.ts';

/** All migrations by name, in order. Each may only add: servers of the version before go on working beside it. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-records': records,
  '0002-lists': lists,
  '0003-identity': identity,
  '0004-engine': engine,
  '0005-transports': transports,
  '0006-operations': operations,
  '0007-host-sources': hostSources,
  '0008-events': events,
  '0009-append-only-log': appendOnlyLog,
  '0010-enrolment-tokens': enrolmentTokens,
  '0011-sessions': sessions,
  '0012-checks': checks,
  '0013-traces': traces,
  '0014-contacts': contacts,
  '0015-sign-in-networks': signInNetworks,
  '0016-session-confirmations': sessionConfirmations,
};
