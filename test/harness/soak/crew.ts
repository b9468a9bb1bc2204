// Everyone who keeps the servers busy, and what each of them has found wrong.

import { Random } from '../../engine/operations/model/random.ts';
import type { EventReader } from '../chaos/event-reader.ts';
import { Acknowledged } from './acknowledged.ts';
import type { Count } from './callers.ts';
import { caller, ERRANDS } from './callers.ts';
import { guest } from './guests.ts';
import { Notes } from './notes.ts';
import type { Post } from './post.ts';
import { restarts } from './restarts.ts';
import type { Routine } from './routine.ts';
import type { Site } from './site.ts';
import { comingBack, lookingAround, unreading } from './visitors.ts';

/** Of each kind. */
const VISITORS = 4;
/** At each server. */
const CALLERS = 2;

export class Crew {
  readonly site: Site;
  readonly reader: EventReader;
  readonly post: Post;
  readonly notes: Notes;
  readonly acknowledged = new Acknowledged();
  readonly #routines: readonly Routine[];
  readonly #count: Count = { requests: 0, turnedAway: 0 };

  constructor(site: Site, reader: EventReader, post: Post) {
    this.site = site;
    this.reader = reader;
    this.post = post;
    this.notes = new Notes(site, this.acknowledged);
    const random = new Random(1);
    this.#routines = [
      this.notes.routine,
      ...site.rings.map(ring => restarts(site, ring, this.acknowledged)),
      ...site.guests.map(address => guest(site, address, this.acknowledged)),
      ...Array.from({ length: CALLERS * site.urls.length }, (_, index) =>
        caller(site.urls[index % site.urls.length] ?? '', 1 + index * ERRANDS, this.#count),
      ),
      ...Array.from({ length: VISITORS }, () => [
        comingBack(site, random, () => reader.position),
        unreading(site, random),
        lookingAround(site, random),
      ]).flat(),
    ];
  }

  start(): void {
    for (const routine of this.#routines) routine.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#routines.map(routine => routine.stop()));
  }

  get done(): Readonly<Record<string, number>> {
    const of = (beginning: string) =>
      this.#routines
        .filter(({ what }) => what.startsWith(beginning))
        .reduce((sum, { done }) => sum + done, 0);
    return {
      operations: of('operations'),
      guests: of('host'),
      records: of('records'),
      readers: of('a reader') + of('somebody'),
      requests: this.#count.requests,
      turned_away: this.#count.turnedAway,
      unavailable: this.site.servers.reduce((sum, { unavailable }) => sum + unavailable, 0),
      events: this.reader.events.length,
      webhook_messages: this.post.received,
    };
  }

  /** So far. */
  get problems(): readonly string[] {
    return this.#routines.flatMap(({ problems }) => problems);
  }
}
