import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A length of time as people write it, such as `90s`, `10m` or `1h30m`, in milliseconds. */
export function readDurationMs(text: string): number {
  if (!/^(\d+[smhd])+$/.test(text)) throw new InvalidArgumentError('It looks like 90s, 10m or 1h30m.');
  const parts = text.matchAll(/(\d+)([smhd])/g);
  return [...parts].reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0);
}
