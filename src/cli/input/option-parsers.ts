import { InvalidArgumentError } from 'commander';
import { toWireTime } from '../../sdk/format.ts';
import { usageError } from '../errors.ts';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Parses `45s`, `30m`, `24h`, `7d`, `2w` or `1h30m` to milliseconds; `undefined` if it is not a duration. */
export function tryParseDuration(text: string): number | undefined {
  if (!/^(\d+[smhdw])+$/.test(text)) return undefined;
  const matches = [...text.matchAll(/(\d+)([smhdw])/g)];
  const ms = matches.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS], 0);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** Returns milliseconds. */
export function parseDuration(text: string): number {
  const ms = tryParseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration such as 90s, 10m, 1h30m, 24h, 7d or 2w.');
  return ms;
}

/** Returns seconds, as in policy fields. A number without a unit is seconds too. */
export const parseDurationSeconds = (text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) : parseDuration(text) / 1000;

const HAS_ZONE = /T.*(Z|[+-]\d{2}:?\d{2})$/;
const IN_UTC = /^\d{4}-\d{2}-\d{2}(T[\d:.]+)?$/;

/** Converts a duration before now, a UTC time or a time with a zone to the format of the API. */
export function parseTime(text: string, nowMs: number): string {
  const agoMs = tryParseDuration(text);
  if (agoMs !== undefined && agoMs <= nowMs) return toWireTime(nowMs - agoMs);
  if (IN_UTC.test(text)) return text;
  const epochMs = HAS_ZONE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(epochMs))
    throw usageError(
      `invalid time "${text}": use 1h or 7d (before now), or 2026-11-15 or 2026-11-15T08:30 (UTC, or with a zone such as +01:00)`,
    );
  return toWireTime(epochMs);
}

/** Up to 15 digits are exact as a JavaScript number. */
export function parseInteger(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

export function parsePositiveInteger(text: string): number {
  const count = parseInteger(text);
  if (count === 0) throw new InvalidArgumentError('It must be at least 1.');
  return count;
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a number from 1 to 65535.');
  return port;
}
