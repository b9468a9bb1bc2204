import type { MemberState, Outage } from '../../../domain/rolling/outage.ts';
import { isConfirmed, outageReasonOf } from '../../../domain/rolling/outage.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { OutageReason } from '../../../domain/vocabulary.ts';
import type { OutageRow } from './rolling-queries.ts';

export const stateOf = (row: OutageRow): MemberState => ({
  status: row.status,
  isInMaintenance: row.in_maintenance === 1,
  awaitsBootstrap: Number(row.bootstraps) > 0,
  contact: {
    answeredAtMs: row.answered_at ?? 0,
    silentSinceMs: row.silent_since,
    failedAtMs: row.failed_at ?? 0,
    recentFailures: row.recent_failures ?? 0,
  },
});

const textOrNull = (text: string): string | null => (text === '' ? null : text);

function sinceOf(row: OutageRow, reason: OutageReason): string | null {
  if (reason === 'maintenance') return textOrNull(row.maintenance_since);
  const isSilent = reason === 'unreachable' && row.silent_since !== null;
  return isSilent ? formatTimestamp(row.silent_since ?? 0) : textOrNull(row.status_since);
}

/** The reason of a host begins with a code, which says nothing new where it is the reason of the outage. */
const withoutCode = (text: string, reason: OutageReason): string =>
  text.startsWith(`${reason}: `) ? text.slice(reason.length + 2) : text;

export function outageOf(row: OutageRow, nowMs: number): Outage {
  const state = stateOf(row);
  const reason = outageReasonOf(state) ?? 'unreachable';
  return {
    host: row.address,
    reason,
    detail: reason === 'maintenance' ? row.maintenance_reason : withoutCode(row.reason, reason),
    since: sinceOf(row, reason),
    isConfirmed: isConfirmed(reason, state.contact, nowMs),
  };
}
