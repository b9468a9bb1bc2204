import type { TimerClock } from '../../src/lib/time/clock.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { runChecks } from '../../src/server/doctor/run-doctor.ts';

export const KEY = Buffer.alloc(32, 7).toString('base64');

export type Settings = Readonly<Record<string, string>>;

export async function runDoctorChecks(
  settings: Settings,
  { clock = systemClock, file }: { clock?: TimerClock; file?: string } = {},
): Promise<string[]> {
  const lines: string[] = [];
  const environment = { PATH: process.env['PATH'], HOSTLER_LISTEN: '127.0.0.1:0', ...settings };
  await runChecks({ environment, flags: {}, file }, clock, ({ check, severity, detail }) =>
    lines.push(`${severity} ${check}: ${detail}`),
  );
  return lines;
}

export const clockAt = (nowMs: number): TimerClock => ({ ...systemClock, now: () => nowMs });
