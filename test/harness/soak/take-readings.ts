import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventReader } from '../chaos/event-reader.ts';
import type { Crew } from './crew.ts';
import { Ledger } from './ledger.ts';
import { valuesOfServer, valuesOfStore } from './limits.ts';
import type { Site } from './site.ts';

const MINUTE_MS = 60_000;

/** The median delay of the events that came since the last time it was asked. */
function delays(reader: EventReader): () => number | undefined {
  let seen = 0;
  return () => {
    const delaysMs = reader.events
      .slice(seen)
      .map(({ seenAtMs, event }) => seenAtMs - Date.parse(`${event['at']}Z`))
      .sort((a, b) => a - b);
    seen = reader.events.length;
    return delaysMs[Math.floor(delaysMs.length / 2)];
  };
}

export interface Pace {
  readonly minutes: number;
  readonly readingEveryS: number;
  readonly say: (text: string) => void;
}

/** Reads everything again and again for so many minutes, and says each minute how it goes. */
export async function takeReadings(
  site: Site,
  crew: Crew,
  { minutes, readingEveryS, say }: Pace,
): Promise<Ledger> {
  const ledger = new Ledger();
  const delayOf = delays(crew.reader);
  const beganMs = performance.now();
  const sinceMs = () => performance.now() - beganMs;
  let saidMinute = 0;
  for (let number = 1; sinceMs() < minutes * MINUTE_MS; number += 1) {
    await delay(Math.max(0, number * readingEveryS * 1000 - sinceMs()));
    // One after the other: while a heap is cleared its server answers nobody.
    for (const server of site.servers)
      ledger.add(sinceMs(), valuesOfServer(server.name, await server.holdings()));
    ledger.add(sinceMs(), valuesOfStore(await site.store.holdings()));
    const delayMs = delayOf();
    if (delayMs !== undefined) ledger.delays.push({ atMs: sinceMs(), value: delayMs });
    ledger.tallies.push({ atMs: sinceMs(), done: crew.done });
    const minute = Math.floor(sinceMs() / MINUTE_MS);
    if (minute > saidMinute) {
      saidMinute = minute;
      say(`minute ${minute} of ${minutes}: ${progress(ledger, crew)}`);
    }
  }
  return ledger;
}

function progress(ledger: Ledger, crew: Crew): string {
  const all = (ending: string) =>
    ledger
      .latest(ending)
      .map(value => value.toFixed(0))
      .join('/');
  const { operations, guests, requests, events } = crew.done;
  return [
    `heap ${all('heap after a collection')} MiB, memory ${all('memory (RSS)')} MiB, handles ${all('sockets')}`,
    `store ${all('store: size')} MiB, events ${ledger.delays.at(-1)?.value} ms late`,
    `${operations} operations, ${guests} hosts came and went, ${requests} requests, ${events} events`,
    `${crew.problems.length} problems, load ${loadavg()[0]?.toFixed(1)}`,
  ].join('; ');
}
