// The last checks of a host, as the store keeps them: one text of entries that are all of the same length, the oldest first. So it takes
// one statement to add the same entry for many hosts, and nothing has to be read for it.

import { MAX_CHECK_HISTORY } from './defaults.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import type { HealthCheckerState, HealthCheckResult } from './vocabulary.ts';
import { HEALTH_CHECK_RESULTS } from './vocabulary.ts';

export interface HostCheck {
  readonly at: string;
  readonly result: HealthCheckResult;
}

/** Milliseconds since 1970 to the base of 36: enough for three thousand years. */
const TIME_LENGTH = 9;
const RADIX = 36;
export const CHECK_ENTRY_LENGTH = TIME_LENGTH + 1;
/** The longest that a history gets. */
export const CHECK_HISTORY_LENGTH = MAX_CHECK_HISTORY * CHECK_ENTRY_LENGTH;

const RESULT_CODES: Readonly<Record<HealthCheckResult, string>> = {
  passed: '+',
  unreachable: '?',
  failed: '-',
};
const RESULTS_BY_CODE = new Map(HEALTH_CHECK_RESULTS.map(result => [RESULT_CODES[result], result]));

export const encodeCheck = ({ at, result }: HostCheck): string =>
  parseTimestamp(at).toString(RADIX).padStart(TIME_LENGTH, '0') + RESULT_CODES[result];

/** The oldest first. A result that a newer version knows is left out. */
export function decodeChecks(history: string): readonly HostCheck[] {
  const checks: HostCheck[] = [];
  for (let at = 0; at < history.length; at += CHECK_ENTRY_LENGTH) {
    const result = RESULTS_BY_CODE.get(history.charAt(at + TIME_LENGTH));
    const epochMs = Number.parseInt(history.slice(at, at + TIME_LENGTH), RADIX);
    if (result !== undefined) checks.push({ at: formatTimestamp(epochMs), result });
  }
  return checks;
}

// Whether a server is partitioned. When most of the hosts that were healthy stop answering at once, it is more likely that the server has
// lost its network than that all of them failed.

/** Results of the latest checks of hosts that were healthy before. */
export interface CheckCounts {
  readonly unresponsive: number;
  readonly responsive: number;
}

/** Fewer silent hosts than this may well have failed independently. */
const MIN_UNRESPONSIVE = 3;

export const indicatesPartition = ({ unresponsive, responsive }: CheckCounts): boolean =>
  unresponsive >= MIN_UNRESPONSIVE && unresponsive > responsive;

/** The state of the health checks. The numbers are of all servers; `partitioned` is the state of this server only. */
export interface HealthReport {
  readonly state: HealthCheckerState;
  /** How often each host is checked; 0: none is. */
  readonly intervalS: number;
  /** How much later than it should have been the check is that is due the longest. */
  readonly lagS: number;
  /** How many hosts are watched. */
  readonly hosts: number;
  /** How many of them do not answer. */
  readonly unreachable: number;
  /** What to know or to do, for people; `''` when all is well. */
  readonly detail: string;
}
