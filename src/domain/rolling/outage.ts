// Members of a cluster that are out of service, and which of them keep an operation from starting.

import { someOf } from '../../lib/text/some-of.ts';
import type { Address } from '../addresses/address.ts';
import { utcTime } from '../timestamp.ts';
import type { HostStatus, OutageReason } from '../vocabulary.ts';

/** The last contact with a host: a health check, a preflight or a step. Times are milliseconds of the store's clock. */
export interface Contact {
  /** When the first contact failed since the host last answered; null: the last contact succeeded. */
  readonly silentSinceMs: number | null;
  readonly failedAtMs: number;
  /** How many contacts failed in a row, each at most `CONFIRM_WITHIN_MS` after the one before. */
  readonly recentFailures: number;
}

/** What the record of a member says. */
export interface MemberRecord {
  readonly status: HostStatus;
  readonly isInMaintenance: boolean;
  /** Part of its bootstrap is still to be done. */
  readonly awaitsBootstrap: boolean;
}

/** What decides whether a member of a cluster is out of service. */
export interface MemberState extends MemberRecord {
  readonly contact: Contact;
}

export interface Outage {
  readonly host: Address;
  readonly reason: OutageReason;
  /** What is known about the reason; `''`: nothing. */
  readonly detail: string;
  /** As on the wire; null: not known. */
  readonly since: string | null;
  /** No further check is needed: one lost packet is no outage. */
  readonly isConfirmed: boolean;
  /** It is in the plan, and the operation has not ended on it. */
  readonly isPlanned: boolean;
}

/** An unreachable host is confirmed by this many failed checks in a row. */
const CONFIRMING_FAILURES = 3;
/** Failed checks count as one row when they are at most this far apart. */
export const CONFIRM_WITHIN_MS = 15_000;

/** Why a member is out of service; `undefined`: it is in service. */
export function outageReasonOf({ status, isInMaintenance, contact }: MemberState): OutageReason | undefined {
  if (isInMaintenance) return 'maintenance';
  const isReady = status === 'active' || status === 'disassociated';
  if (isReady && contact.silentSinceMs !== null) return 'unreachable';
  return status === 'active' ? undefined : status;
}

export const isConfirmed = (
  reason: OutageReason,
  { recentFailures, failedAtMs }: Contact,
  nowMs: number,
): boolean =>
  reason !== 'unreachable' ||
  (recentFailures >= CONFIRMING_FAILURES && failedAtMs >= nowMs - CONFIRM_WITHIN_MS);

/** The same by the records alone, however old the last contact is. */
export const isConfirmedByRecords = (
  reason: OutageReason,
  { status, contact: { recentFailures } }: MemberState,
): boolean => reason !== 'unreachable' || status === 'unreachable' || recentFailures >= CONFIRMING_FAILURES;

/** A host that only is not registered with its container manager answers, so an operation can work on it if it is in the plan. */
export const isBlocking = ({ reason, isConfirmed: confirmed, isPlanned }: Outage): boolean =>
  confirmed && !(reason === 'disassociated' && isPlanned);

const STATES: Readonly<Record<OutageReason, string>> = {
  maintenance: 'in maintenance',
  unreachable: 'unreachable',
  failed: 'failed',
  investigating: 'being investigated',
  bootstrapping: 'being bootstrapped',
  disassociated: 'not registered with its container manager',
};

/** Such as `unreachable since 2026-11-16 12:03:05 UTC: connection refused`. */
export function describeOutage({
  reason,
  detail,
  since,
}: Pick<Outage, 'reason' | 'detail' | 'since'>): string {
  const started = since === null ? '' : ` since ${utcTime(since)}`;
  return `${STATES[reason]}${started}${detail && `: ${detail}`}`;
}

/** The same as an error that starts with its code, such as `unreachable: since 2026-11-16 12:03:05 UTC: connection refused`. */
export const outageError = ({ reason, detail, since }: Pick<Outage, 'reason' | 'detail' | 'since'>): string =>
  [reason, since === null ? '' : `since ${utcTime(since)}`, detail].filter(text => text !== '').join(': ');

/** Names hosts, each with why it is out of service, where that is known. */
export function nameHosts(hosts: Iterable<Address>, outages: readonly Outage[]): string {
  const known = new Map(outages.map(outage => [outage.host, outage]));
  const named = [...new Set(hosts)].map(host => {
    const outage = known.get(host);
    return outage ? `${host} (${describeOutage(outage)})` : host;
  });
  return someOf(named);
}
