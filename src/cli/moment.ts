import { wireTime } from '../client/times.ts';
import { usageProblem } from './cli-problem.ts';
import { durationOf } from './durations.ts';

const HAS_ZONE = /T.*(Z|[+-]\d{2}:?\d{2})$/;
const IN_UTC = /^\d{4}-\d{2}-\d{2}(T[\d:.]+)?$/;

/** A time as the service reads it, from how long ago it was, from a time in UTC, or from one with its zone. */
export function momentOf(text: string, nowMs: number): string {
  const ago = durationOf(text);
  if (ago !== undefined && ago <= nowMs) return wireTime(nowMs - ago);
  if (IN_UTC.test(text)) return text;
  const epochMs = HAS_ZONE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(epochMs))
    throw usageProblem(
      `invalid time "${text}": use 1h or 7d (before now), or 2026-11-15 or 2026-11-15T08:30 (UTC, or with a zone such as +01:00)`,
    );
  return wireTime(epochMs);
}
