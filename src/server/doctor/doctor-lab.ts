import type { AlarmClock } from '../../lib/time/clock.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { examine } from './examine.ts';

/** A secret key, as it stands in its file. */
export const KEY = Buffer.alloc(32, 7).toString('base64');

export type Settings = Readonly<Record<string, string>>;

/** What is said of a configuration, a line for each finding. */
export async function lookAt(
  settings: Settings,
  { clock = systemClock, file }: { clock?: AlarmClock; file?: string } = {},
): Promise<string[]> {
  const lines: string[] = [];
  const environment = { PATH: process.env['PATH'], HOSTLER_LISTEN: '127.0.0.1:0', ...settings };
  await examine({ environment, flags: {}, file }, clock, ({ check, severity, detail }) =>
    lines.push(`${severity} ${check}: ${detail}`),
  );
  return lines;
}

export const at = (nowMs: number): AlarmClock => ({ ...systemClock, now: () => nowMs });
