// Everyone who keeps the servers busy, and what each of them has found wrong.

import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../engine/operations/model/random.ts';
import type { EventReader } from '../chaos/event-reader.ts';
import { eachEventOnce, rebootedOnce } from '../chaos/rules.ts';
import { until } from '../until.ts';
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
const LOOK_EVERY_MS = 500;
const SETTLED_WITHIN_MS = 120_000;

export class Crew {
  readonly reader: EventReader;
  readonly #routines: readonly Routine[];
  readonly #notes: Notes;
  readonly #post: Post;
  readonly #count: Count = { requests: 0, turnedAway: 0 };
  readonly #site: Site;

  constructor(site: Site, reader: EventReader, post: Post) {
    this.#site = site;
    this.reader = reader;
    this.#post = post;
    this.#notes = new Notes(site);
    const random = new Random(1);
    this.#routines = [
      this.#notes.routine,
      ...site.rings.map(ring => restarts(site, ring)),
      ...site.guests.map(address => guest(site, address)),
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
      events: this.reader.events.length,
      webhook_messages: this.#post.received,
    };
  }

  /** So far. */
  get problems(): readonly string[] {
    return this.#routines.flatMap(({ problems }) => problems);
  }

  /** After the end. */
  async losses(): Promise<readonly string[]> {
    const { reader } = this;
    const left = await this.#settled();
    const events = eachEventOnce(reader.events.map(({ id }) => id - reader.begunAfter));
    return [
      ...this.problems,
      ...(await this.#notes.missing()),
      ...left,
      ...reader.problems,
      ...events,
      ...(await this.#post.problems(reader)),
      ...rebootedOnce(this.#site.fleet.diary),
      ...this.#site.servers.flatMap(({ problems }) => problems),
    ];
  }

  /** Waits until nothing is on its way any more; answers what stays. */
  async #settled(): Promise<readonly string[]> {
    const { hosts } = this.#site.options;
    const wanted = { outbox: 0, work: 0, hosts, host_access: hosts, agenda: hosts };
    const look = async () => {
      await delay(LOOK_EVERY_MS);
      const { rows } = await this.#site.storeHoldings();
      return Object.entries(wanted)
        .filter(([table, count]) => rows[table] !== count)
        .map(([table, count]) => `${table} has ${rows[table]} rows instead of ${count}`);
    };
    let left = await look();
    const isNothingLeft = async () => {
      if (left.length > 0) left = await look();
      return left.length === 0;
    };
    await until('nothing is left', isNothingLeft, SETTLED_WITHIN_MS).catch(() => {});
    const { lastEvent } = await this.#site.storeHoldings();
    const isThere = () => this.reader.position >= lastEvent;
    await until('the last event', isThere, SETTLED_WITHIN_MS).catch(() => {});
    return isThere()
      ? left
      : [...left, `the last event is ${lastEvent}, and ${this.reader.position} was seen`];
  }
}
