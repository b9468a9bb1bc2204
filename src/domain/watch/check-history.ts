// The last checks of a host, as the store keeps them: one text of entries that are all of the same length, the oldest first. So it takes
// one statement to add the same entry for many hosts, and nothing has to be read for it.

import { CHECKS_KEPT } from '../defaults.ts';
import { formatTimestamp, parseTimestamp } from '../timestamp.ts';
import type { CheckResult } from '../vocabulary.ts';
import { CHECK_RESULTS } from '../vocabulary.ts';

export interface HostCheck {
  readonly at: string;
  readonly result: CheckResult;
}

/** Milliseconds since 1970 to the base of 36: enough for three thousand years. */
const TIME_LENGTH = 9;
const RADIX = 36;
export const CHECK_ENTRY_LENGTH = TIME_LENGTH + 1;
/** The longest that a history gets. */
export const CHECK_HISTORY_LENGTH = CHECKS_KEPT * CHECK_ENTRY_LENGTH;

const SIGNS: Readonly<Record<CheckResult, string>> = { passed: '+', unreachable: '?', failed: '-' };
const RESULTS = new Map(CHECK_RESULTS.map(result => [SIGNS[result], result]));

export const checkEntry = ({ at, result }: HostCheck): string =>
  parseTimestamp(at).toString(RADIX).padStart(TIME_LENGTH, '0') + SIGNS[result];

/** The oldest first. A result that a newer version knows is left out. */
export function checksIn(history: string): readonly HostCheck[] {
  const checks: HostCheck[] = [];
  for (let at = 0; at < history.length; at += CHECK_ENTRY_LENGTH) {
    const result = RESULTS.get(history.charAt(at + TIME_LENGTH));
    const epochMs = Number.parseInt(history.slice(at, at + TIME_LENGTH), RADIX);
    if (result !== undefined) checks.push({ at: formatTimestamp(epochMs), result });
  }
  return checks;
}
