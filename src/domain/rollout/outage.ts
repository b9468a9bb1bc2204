import { listSome } from '../../lib/text.ts';
import type { Address } from '../addresses/address.ts';
import { isReady } from '../hosts/host-status.ts';
import { utcTime } from '../timestamp.ts';
import type { HostStatus, OutageReason } from '../vocabulary.ts';

/** By a health check, a preflight or a step. Times are of the clock of the store. */
export interface Contact {
  /** The first failed contact since the last response; null: the last contact succeeded. */
  readonly failingSinceMs: number | null;
  readonly failedAtMs: number;
  /** Consecutive ones, each at most `CONFIRM_WITHIN_MS` after the previous one. */
  readonly contactFailures: number;
}

export interface MemberRecord {
  readonly status: HostStatus;
  readonly isInMaintenance: boolean;
  readonly awaitsBootstrap: boolean;
}

export interface MemberState extends MemberRecord {
  readonly contact: Contact;
}

export interface Outage {
  readonly host: Address;
  readonly reason: OutageReason;
  readonly detail: string;
  readonly since: string | null;
  /** No further check is needed. A single lost packet does not confirm an outage. */
  readonly isConfirmed: boolean;
  /** The host is in the plan, and the operation has not ended on it. */
  readonly isPlanned: boolean;
}

/** Consecutive failed checks. */
const CONFIRMING_FAILURES = 3;
/** Maximum time between two consecutive failed checks. */
export const CONFIRM_WITHIN_MS = 15_000;

/** `undefined`: in service. */
export function outageReasonOf({ status, isInMaintenance, contact }: MemberState): OutageReason | undefined {
  if (isInMaintenance) return 'maintenance';
  if (isReady(status) && contact.failingSinceMs !== null) return 'unreachable';
  return status === 'active' ? undefined : status;
}

export const isOutageConfirmed = (
  reason: OutageReason,
  { contactFailures, failedAtMs }: Contact,
  nowMs: number,
): boolean =>
  reason !== 'unreachable' || (contactFailures >= CONFIRMING_FAILURES && failedAtMs >= nowMs - CONFIRM_WITHIN_MS);

/** From the records only: the age of the last contact does not matter. */
export const isConfirmedByRecords = (
  reason: OutageReason,
  { status, contact: { contactFailures } }: MemberState,
): boolean => reason !== 'unreachable' || status === 'unreachable' || contactFailures >= CONFIRMING_FAILURES;

/** A planned host that is only unregistered responds, so the operation can work on it. */
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
export function describeOutage({ reason, detail, since }: Pick<Outage, 'reason' | 'detail' | 'since'>): string {
  const started = since === null ? '' : ` since ${utcTime(since)}`;
  return `${REASON_TEXTS[reason]}${started}${detail && `: ${detail}`}`;
}

/** Starts with the code, such as `unreachable: since 2026-11-16 12:03:05 UTC: connection refused`. */
export const outageError = ({ reason, detail, since }: Pick<Outage, 'reason' | 'detail' | 'since'>): string =>
  [reason, since === null ? '' : `since ${utcTime(since)}`, detail].filter(text => text !== '').join(': ');

export function describeHosts(hosts: Iterable<Address>, outages: readonly Outage[]): string {
  const outageByHost = new Map(outages.map(outage => [outage.host, outage]));
  const descriptions = [...new Set(hosts)].map(host => {
    const outage = outageByHost.get(host);
    return outage ? `${host} (${describeOutage(outage)})` : host;
  });
  return listSome(descriptions);
}
