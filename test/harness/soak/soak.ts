// Servers that are kept busy for a while with everything that comes and goes. What must hold: after some time to warm up nothing that
// they or the store have grows, and nothing was lost or done twice.

import { EventReader } from '../chaos/event-reader.ts';
import { AUTHORIZATION } from '../chaos/people.ts';
import { Crew } from './crew.ts';
import type { Ledger } from './ledger.ts';
import { Post } from './post.ts';
import type { SiteOptions } from './site.ts';
import { Site } from './site.ts';
import type { Pace } from './take-readings.ts';
import { takeReadings } from './take-readings.ts';
import type { Judged } from './verdict.ts';

export interface SoakOptions extends SiteOptions, Pace {
  readonly warmUpMinutes: number;
}

export interface SoakReport {
  readonly judged: readonly Judged[];
  /** What was lost, done twice, or answered otherwise than it must be. */
  readonly losses: readonly string[];
  /** How much was done. */
  readonly done: Readonly<Record<string, number>>;
  readonly readings: Ledger['readings'];
}

const MINUTE_MS = 60_000;
const SILENCE_MS = 30_000;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { say, warmUpMinutes } = options;
  const site = await Site.open(options);
  const reader = new EventReader({
    ...{ urls: () => site.urls, authorization: AUTHORIZATION, silenceMs: SILENCE_MS },
    // What happened while the servers started may be cut off by now.
    after: (await site.storeHoldings()).lastEvent,
  });
  reader.start();
  let post: Post | undefined;
  try {
    await site.enrolAll(say);
    post = await Post.open(site);
    const crew = new Crew(site, reader, post);
    crew.start();
    const ledger = await takeReadings(site, crew, options).finally(() => crew.stop());
    const losses = await crew.losses();
    const judged = ledger.judge(warmUpMinutes * MINUTE_MS);
    return { judged, losses, done: crew.done, readings: ledger.readings };
  } finally {
    await reader.stop();
    await post?.close();
    await site.stop();
  }
}
