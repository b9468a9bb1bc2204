// The store keeps the last checks of a host, oldest first, as one string of entries with a fixed length, so one
// statement can append an entry to many hosts without reading them.

import { MAX_CHECK_HISTORY } from './defaults.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import type { HealthCheckerState, HealthCheckResult } from './vocabulary.ts';
import { HEALTH_CHECK_RESULTS } from './vocabulary.ts';

export interface HostCheck {
  readonly at: string;
  readonly result: HealthCheckResult;
}

/** Milliseconds since 1970 in base 36: enough for 3,000 years. */
const TIME_LENGTH = 9;
const RADIX = 36;
export const CHECK_ENTRY_LENGTH = TIME_LENGTH + 1;
export const CHECK_HISTORY_LENGTH = MAX_CHECK_HISTORY * CHECK_ENTRY_LENGTH;

const RESULT_CODES: Readonly<Record<HealthCheckResult, string>> = { passed: '+', unreachable: '?', failed: '-' };
const RESULTS_BY_CODE = new Map(HEALTH_CHECK_RESULTS.map(result => [RESULT_CODES[result], result]));

export const encodeCheck = ({ at, result }: HostCheck): string =>
  parseTimestamp(at).toString(RADIX).padStart(TIME_LENGTH, '0') + RESULT_CODES[result];

/** Ignores results that only a newer version knows. */
export function decodeChecks(history: string): readonly HostCheck[] {
  const checks: HostCheck[] = [];
  for (let at = 0; at < history.length; at += CHECK_ENTRY_LENGTH) {
    const result = RESULTS_BY_CODE.get(history.charAt(at + TIME_LENGTH));
    const epochMs = Number.parseInt(history.slice(at, at + TIME_LENGTH), RADIX);
    if (result !== undefined) checks.push({ at: formatTimestamp(epochMs), result });
  }
  return checks;
}

/**
 * Of hosts that were healthy before. When most of them become unresponsive at once, the server has more likely lost its
 * network than all hosts failed.
 */
export interface CheckCounts {
  readonly unresponsive: number;
  readonly responsive: number;
}

/** Fewer unresponsive hosts than this can well have failed independently. */
const MIN_UNRESPONSIVE = 3;

export const indicatesPartition = ({ unresponsive, responsive }: CheckCounts): boolean =>
  unresponsive >= MIN_UNRESPONSIVE && unresponsive > responsive;

/** The counts cover all servers; `state` is of this server only. */
export interface HealthReport {
  readonly state: HealthCheckerState;
  /** 0: checks are disabled. */
  readonly intervalS: number;
  /** Of the most overdue check. */
  readonly lagS: number;
  readonly hosts: number;
  readonly unreachable: number;
  /** For administrators; `''` if the state is `ok`. */
  readonly detail: string;
}
