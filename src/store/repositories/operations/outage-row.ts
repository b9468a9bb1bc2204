import { OPEN_PHASES } from '../../../domain/rollout/operation-host.ts';
import type { MemberState, Outage } from '../../../domain/rollout/outage.ts';
import { isConfirmed, isConfirmedByRecords, outageReasonOf } from '../../../domain/rollout/outage.ts';
import { formatTimestamp } from '../../../domain/timestamp.ts';
import type { OutageReason } from '../../../domain/vocabulary.ts';
import type { OutageRow } from './rolling-queries.ts';

export const stateOf = (row: OutageRow): MemberState => ({
  status: row.status,
  isInMaintenance: row.in_maintenance === 1,
  awaitsBootstrap: Number(row.bootstraps) > 0,
  contact: {
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

/** `nowMs`: contacts must be recent to confirm an outage; null: the records are enough. */
export function outageOf(row: OutageRow, nowMs: number | null): Outage {
  const state = stateOf(row);
  const reason = outageReasonOf(state) ?? 'unreachable';
  return {
    host: row.address,
    reason,
    detail: reason === 'maintenance' ? row.maintenance_reason : withoutCode(row.reason, reason),
    since: sinceOf(row, reason),
    isConfirmed:
      nowMs === null ? isConfirmedByRecords(reason, state) : isConfirmed(reason, state.contact, nowMs),
    isPlanned: row.phase !== null && OPEN_PHASES.includes(row.phase),
  };
}
