// Servers that are kept busy for a while with everything that comes and goes. What must hold: after some time to warm up nothing that
// they or the store have grows, nothing was lost or done twice, all hosts were watched, and enough was done to tell.

import { EventReader } from '../chaos/event-reader.ts';
import { AUTHORIZATION } from '../chaos/people.ts';
import type { Attendance } from './attendance.ts';
import { attendanceOf } from './attendance.ts';
import { Crew } from './crew.ts';
import { tooLittle } from './enough-done.ts';
import type { Ledger } from './ledger.ts';
import { lossesOf } from './losses.ts';
import { Post } from './post.ts';
import type { SiteOptions } from './site.ts';
import { Site } from './site.ts';
import type { Pace } from './take-readings.ts';
import { takeReadings } from './take-readings.ts';
import type { Judged } from './verdict.ts';
import type { WorkPerHour } from './work-per-hour.ts';
import { perHourOf } from './work-per-hour.ts';

export interface SoakOptions extends SiteOptions, Pace {
  readonly warmUpMinutes: number;
}

export interface SoakReport {
  readonly judged: readonly Judged[];
  /** What was lost, done twice, done too little, or answered otherwise than it must be. */
  readonly losses: readonly string[];
  /** How much was done. */
  readonly done: Readonly<Record<string, number>>;
  /** After the warm-up. */
  readonly work: WorkPerHour;
  readonly readings: Ledger['readings'];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SILENCE_MS = 30_000;

/** At which pace it was after the warm-up. */
function workOf({ tallies }: Ledger, fromMs: number, { servers, hostsPerRing }: SiteOptions, checks: number) {
  const of = perHourOf(tallies.filter(({ atMs }) => atMs >= fromMs));
  const operations = of('operations');
  return {
    ...{ servers, checks, operations, operationHosts: operations * hostsPerRing },
    ...{ requests: of('requests'), events: of('events'), readers: of('readers') },
    guests: of('guests') + of('records'),
  };
}

/** Of hosts that are only watched, since then. */
function watchedFrom({ fleet, watched, options }: Site, fromMs: number, toMs: number): Attendance {
  const intervalMs = options.checkIntervalS * 1000;
  return attendanceOf(fleet.visits, { addresses: watched, intervalMs, fromMs, toMs });
}

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { say } = options;
  const site = await Site.open(options);
  const reader = new EventReader({
    ...{ urls: () => site.urls, authorization: AUTHORIZATION, silenceMs: SILENCE_MS },
    // What happened while the servers started may be cut off by now.
    after: (await site.store.holdings()).lastEvent,
  });
  reader.start();
  let post: Post | undefined;
  try {
    await site.enrolAll(say);
    post = await Post.open(site);
    const crew = new Crew(site, reader, post);
    crew.start();
    const beganMs = performance.now();
    const ledger = await takeReadings(site, crew, options).finally(() => crew.stop());
    const endedMs = performance.now();
    const warmUpMs = options.warmUpMinutes * MINUTE_MS;
    const attendance = watchedFrom(site, beganMs + warmUpMs, endedMs);
    const checks = (attendance.visits * HOUR_MS) / (endedMs - beganMs - warmUpMs);
    const done = { ...crew.done, checks: attendance.visits };
    const work = workOf(ledger, warmUpMs, options, checks);
    const delaysMs = ledger.delays.filter(({ atMs }) => atMs >= warmUpMs).map(({ value }) => value);
    const losses = [...attendance.problems, ...tooLittle(options, done, delaysMs), ...(await lossesOf(crew))];
    return { judged: ledger.judge(warmUpMs, work), losses, done, work, readings: ledger.readings };
  } finally {
    await reader.stop();
    await post?.close();
    await site.stop();
  }
}
