import { InvalidArgumentError } from 'commander';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** What `45s`, `30m`, `24h`, `7d`, `2w` or `1h30m` mean in milliseconds; `undefined`: it is not a duration. */
export function durationOf(text: string): number | undefined {
  if (!/^(\d+[smhdw])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)([smhdw])/g)];
  const ms = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS],
    0,
  );
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** Reads the value of an option; answers milliseconds. */
export function parseDuration(text: string): number {
  const ms = durationOf(text);
  if (ms === undefined)
    throw new InvalidArgumentError('It must be a duration such as 90s, 10m, 1h30m, 24h, 7d or 2w.');
  return ms;
}

/** The same in seconds, as fields of policies have it; so a number alone is understood, too. */
export const parseSeconds = (text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) : parseDuration(text) / 1000;
