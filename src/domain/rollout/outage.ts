// Members of a cluster that are out of service, and which of them keep an operation from starting.

import { listSome } from '../../lib/text.ts';
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
export const isBlocking = ({ reason, isConfirmed: isConfirmedOutage, isPlanned }: Outage): boolean =>
  isConfirmedOutage && !(reason === 'disassociated' && isPlanned);

const REASON_TEXTS: Readonly<Record<OutageReason, string>> = {
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
  return `${REASON_TEXTS[reason]}${started}${detail && `: ${detail}`}`;
}

/** The same as an error that starts with its code, such as `unreachable: since 2026-11-16 12:03:05 UTC: connection refused`. */
export const outageError = ({ reason, detail, since }: Pick<Outage, 'reason' | 'detail' | 'since'>): string =>
  [reason, since === null ? '' : `since ${utcTime(since)}`, detail].filter(text => text !== '').join(': ');

/** Names hosts, each with why it is out of service, where that is known. */
export function describeHosts(hosts: Iterable<Address>, outages: readonly Outage[]): string {
  const outageByHost = new Map(outages.map(outage => [outage.host, outage]));
  const descriptions = [...new Set(hosts)].map(host => {
    const outage = outageByHost.get(host);
    return outage ? `${host} (${describeOutage(outage)})` : host;
  });
  return listSome(descriptions);
}

// How recent the last answer of a member must be when a host is taken out of service.

/** A cluster with more members is not checked as often. */
export const LARGE_CLUSTER = 200;
const SMALL_CLUSTER_MS = 15_000;
const LARGE_CLUSTER_MS = 60_000;

/** `members` may be cut off above `LARGE_CLUSTER`. */
export const freshnessMs = (members: number, checkIntervalMs: number): number =>
  members > LARGE_CLUSTER ? Math.min(checkIntervalMs, LARGE_CLUSTER_MS) : SMALL_CLUSTER_MS;

/** Members are checked again at this part of the window, so that all of them can be fresh at the same time. */
export const REFRESH_FRACTION = 2 / 3;

/** A reboot is sent at most this long after the answers it relies on have left the window. */
export const CLEARANCE_MS = 3000;
/** Without other members nothing goes out of date, but a reboot is not sent much later than it was allowed. */
const MAX_CLEARANCE_MS = 15_000;

export const clearedUntil = (nowMs: number, freshUntilMs: number): number =>
  Math.min(freshUntilMs, nowMs + MAX_CLEARANCE_MS);

/** A permission that ends later than any was given comes from a time before the clock was set back. */
export const isCleared = (untilMs: number | null, nowMs: number): boolean =>
  untilMs !== null && untilMs > nowMs && untilMs <= nowMs + MAX_CLEARANCE_MS;

/** The same goes for answers from the future. */
export const isFresh = (answeredAtMs: number, nowMs: number, windowMs: number): boolean =>
  answeredAtMs >= nowMs - windowMs && answeredAtMs <= nowMs;
